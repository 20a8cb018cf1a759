/** A glossary term's meaning beside it, on hover and keyboard focus, until Escape. On touch it stays a link. */

import { element, fresh } from "./page.js";

const DELAY = 250; // ms, to pass over a term or to reach its popover
const GAP = 6; // px
const popover = element("span", { class: "bb-popover", popover: "auto" });
let glossary; // its page, from this site, once it was asked for
let shown;
let timer;

export function terms() {
  for (const term of fresh(".bb-term")) {
    term.addEventListener("pointerenter", ({ pointerType }) => pointerType === "touch" || later(show, term));
    term.addEventListener("focus", () => term.matches(":focus-visible") && show(term));
    for (const event of ["pointerleave", "blur"]) term.addEventListener(event, leave);
  }
}

for (const event of ["pointerleave", "focusout"]) popover.addEventListener(event, leave);
popover.addEventListener("toggle", ({ newState }) => newState === "closed" && (shown = null));

function later(step, term) {
  clearTimeout(timer);
  timer = setTimeout(step, DELAY, term);
}

function leave() {
  later(() => {
    if (![shown, popover].some((each) => each?.matches(":hover, :focus-within"))) shown = popover.hidePopover();
  });
}

/** What an entry says: its first line, and links to the lessons that teach it; nothing if it cannot be read. */
async function entry(href) {
  const [page, id] = href.split("#");
  glossary ??= fetch(page).then(async (answer) => new DOMParser().parseFromString(await answer.text(), "text/html"));
  const paragraphs = [];
  let next = (await glossary).getElementById(id)?.nextElementSibling;
  for (; next?.matches("p"); next = next.nextElementSibling) paragraphs.push(next);
  const taught = paragraphs.find((each) => each.textContent.startsWith("Taught in"));
  const links = [...(taught?.querySelectorAll("a") ?? [])];
  return {
    definition: paragraphs[0].textContent.split("\n")[0],
    lessons: links.map((link) => element("a", { href: new URL(link.getAttribute("href"), page) }, link.textContent)),
  };
}

async function show(term) {
  clearTimeout(timer);
  if (shown === term) return;
  shown = term;
  const { href } = term;
  const found = await entry(href).catch(() => {});
  if (!found || shown !== term) return; // the link is enough, or the reader has gone on
  const { definition, lessons } = found;
  const taught = lessons.length ? [element("span", {}, "Taught in: ", ...lessons.flatMap((link) => [", ", link]).slice(1))] : [];
  term.ariaDescription = definition;
  popover.replaceChildren(element("span", {}, definition), ...taught, element("a", { href }, "Glossary"));
  term.after(popover); // so that Tab goes from the term to the links
  popover.showPopover();
  place(...term.getClientRects());
}

/** Below the term, or above it where there is no room; in the page, so that it scrolls along. */
function place({ left, top, bottom }) {
  const { offsetWidth, offsetHeight, style } = popover;
  const right = document.documentElement.clientWidth - offsetWidth - GAP;
  const above = bottom + GAP + offsetHeight > innerHeight && top > offsetHeight + GAP;
  style.left = `${scrollX + Math.max(GAP, Math.min(left, right))}px`;
  style.top = `${scrollY + (above ? top - GAP - offsetHeight : bottom + GAP)}px`;
}
