/** A term's meaning beside it, on hover and keyboard focus, until Escape; on touch it stays a link. */

import { element, fresh } from "./page.js";

const DELAY = 250; // ms, to pass a term or reach its popover
const GAP = 6; // px
const popover = element("span", { class: "bb-popover", popover: "auto" });
let glossary;
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

async function show(term) {
  clearTimeout(timer);
  if (shown === term) return;
  shown = term;
  const { href } = term;
  const [page, id] = href.split("#");
  glossary ??= fetch(page)
    .then((answer) => answer.text())
    .then((text) => new DOMParser().parseFromString(text, "text/html"))
    .catch(() => {}); // the link is enough
  const [meaning, ...more] = (await glossary)?.querySelectorAll(`#${id} ~ p:not(#${id} ~ :is(h2, h3) ~ p)`) ?? [];
  if (!meaning || shown !== term) return;
  const taught = more.find((part) => /^Taught in /.test(part.textContent));
  for (const link of taught?.querySelectorAll("a") ?? []) link.href = new URL(link.getAttribute("href"), page);
  const [first] = meaning.textContent.split("\n");
  popover.replaceChildren(element("span", {}, first), taught?.cloneNode(true) ?? "", element("a", { href }, "Glossary"));
  term.ariaDescription = first;
  term.after(popover); // Tab goes on to its links
  popover.showPopover();
  place(...term.getClientRects());
}

/** Below the term, or above. */
function place({ left, top, bottom }) {
  const { offsetWidth, offsetHeight, style } = popover;
  const right = document.documentElement.clientWidth - offsetWidth - GAP;
  const above = bottom + GAP + offsetHeight > innerHeight && top > offsetHeight + GAP;
  style.left = `${scrollX + Math.max(GAP, Math.min(left, right))}px`;
  style.top = `${scrollY + (above ? top - GAP - offsetHeight : bottom + GAP)}px`;
}
