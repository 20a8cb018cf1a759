/** A glossary term's meaning beside it, on hover and keyboard focus, until Escape. On touch it stays a link. */

import { element, fresh } from "./page.js";

const DELAY = 250; // ms, to pass over a term or to reach its popover
const GAP = 6; // px
const popover = element("span", { class: "bb-popover", popover: "auto" });
let shown;
let timer;

export function terms() {
  for (const term of fresh(".bb-term[title]")) {
    term.setAttribute("aria-description", term.title);
    term.removeAttribute("title"); // the browser's tip would stand beside ours
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
  later(() => [shown, popover].some((each) => each?.matches(":hover, :focus-within")) || popover.hidePopover());
}

function show(term) {
  clearTimeout(timer);
  if (shown === term) return;
  shown = term;
  const { dataset, href } = term;
  // Lessons are given as seen from the glossary.
  const lessons = JSON.parse(dataset.taught ?? "[]").flatMap(([title, path]) => [", ", element("a", { href: new URL(path, href) }, title)]);
  const taught = lessons.length ? [element("span", {}, "Taught in: ", ...lessons.slice(1))] : [];
  popover.replaceChildren(element("span", {}, term.ariaDescription), ...taught, element("a", { href }, "Glossary"));
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
