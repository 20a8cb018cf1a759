/** What this browser keeps of each page, as JSON in storage that may be full, forbidden or hold anything. */

import { below, element, here, words } from "./page.js";

const KEY = "jax-measured:";
const FIELDS = {
  predictions: ["question", "text", "at"],
  answers: ["question", "letter", "option", "right", "at"],
  done: ["what", "at"],
  provenance: ["text", "link"],
};
const memory = new Map(); // what storage refused, until the page is left

export const read = (path = here()) =>
  tidy(attempt(() => JSON.parse(memory.get(path) ?? localStorage.getItem(KEY + path))));

/** The pages of which something is kept; nothing where storage is forbidden. */
export const paths = () =>
  attempt(() => Object.keys(localStorage).flatMap((key) => (key.startsWith(KEY) ? key.slice(KEY.length) : [])));

/** Keeps an entry of this page, or removes it; where that fails says so before `place`. */
export function keep(place, part, id, entry) {
  const path = here();
  const page = read();
  if (entry) page[part][id] = { ...entry, at: new Date().toISOString() };
  else delete page[part][id];
  page.title = words(document.querySelector("h1"));
  for (const line of document.querySelectorAll("[data-run]:has(a)")) {
    page.provenance[line.dataset.run] = { text: words(line, ".bb-missing"), link: below(line.querySelector("a").href) };
  }
  page.runs = Object.keys(page.provenance);
  memory.set(path, JSON.stringify(page));
  attempt(() => {
    localStorage.setItem(KEY + path, memory.get(path));
    memory.delete(path);
  });
  if (memory.has(path)) warn(place);
  return !memory.has(path);
}

export const clear = () => paths()?.forEach((path) => localStorage.removeItem(KEY + path));

/** Calls `show` now, and whenever another tab or the way back may have changed what is kept. */
export function watch(show) {
  for (const event of ["storage", "pageshow"]) addEventListener(event, show);
  show();
}

/** Says once that nothing is kept. */
export function warn(place) {
  const text = "This browser keeps nothing that you write here: its storage is full or not allowed. The rest works.";
  if (!document.querySelector(".bb-unkept")) place.before(element("p", { class: "bb-unkept", role: "status" }, text));
}

export function attempt(action) {
  try {
    return action();
  } catch {
    return undefined;
  }
}

/** Every part and field in its place, and text in each. */
function tidy(value) {
  const text = (found) => (typeof found === "string" ? found : "");
  const page = { title: text(value?.title) };
  for (const part in FIELDS) {
    page[part] = {};
    for (const [id, entry] of Object.entries(value?.[part] ?? {})) {
      page[part][id] = Object.fromEntries(FIELDS[part].map((name) => [name, text(entry?.[name])]));
    }
  }
  return page;
}
