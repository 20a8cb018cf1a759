/** The browser's side; pages have all words without it. */

import { headings, tables, tabs } from "./content.js";
import { commands, marks, predictions, questions } from "./lesson.js";
import { terms } from "./term.js";

function start() {
  // A fault stops no other.
  for (const part of [headings, tabs, tables, terms, predictions, questions, marks, commands]) queueMicrotask(part);
  if (document.querySelector(".bb-evidence")) import("./evidence.js").then(({ evidence }) => evidence());
}

// The theme tells of each page that it shows.
if (window.document$) window.document$.subscribe(start);
else start();
