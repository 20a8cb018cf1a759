/** What this browser keeps of each page. Storage may be full, forbidden or hold anything. */

import { below, element, here, root, words } from "./page.js";

const KEY = `jax-measured:${new URL(root).pathname}:`;
const FIELDS = {
  predictions: ["question", "text", "at"],
  answers: ["question", "letter", "option", "right", "at"],
  done: ["what", "at"],
  provenance: ["text", "link"],
};
const memory = new Map(); // what storage refused

export const read = (path = here()) =>
  tidy(attempt(() => JSON.parse(memory.get(path) ?? localStorage.getItem(KEY + path))));

/** The pages that something is kept of; nothing where storage is forbidden. */
export const paths = () =>
  attempt(() => Object.keys(localStorage).flatMap((key) => (key.startsWith(KEY) ? key.slice(KEY.length) : [])));

/** Keeps an entry of this page, or removes it; says before `place` where that fails. */
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

/** Calls `show` now, and when another tab or the way back may have changed what is kept. */
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
    // nothing
  }
}

/** Every part in its place, and in it entries with text in each field. */
function tidy(value) {
  const isText = (found) => typeof found === "string";
  const page = { title: isText(value?.title) ? value.title : "" };
  for (const part in FIELDS) {
    page[part] = { __proto__: null };
    for (const [id, entry] of Object.entries(value?.[part] ?? {})) {
      if (FIELDS[part].every((name) => isText(entry?.[name]))) page[part][id] = entry;
    }
  }
  return page;
}
