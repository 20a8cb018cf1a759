/** The browser's side, once a page is drawn; pages have all words without it. */

async function start() {
  const names = ["content", "lesson", "term"];
  if (document.querySelector(".bb-evidence")) names.unshift("evidence");
  for (const name of names) {
    // A fault stops no other.
    for (const part of Object.values(await import(`./${name}.js`))) queueMicrotask(part);
  }
}

// The theme tells of each page that it shows.
addEventListener("load", () => (window.document$ ? window.document$.subscribe(start) : start()));
