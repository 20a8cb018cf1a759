/** The browser's side of the site. Without it every page still has all its words. */

import { headings } from "./heading.js";
import { commands, marks, predictions, questions } from "./lesson.js";
import { tabs } from "./tab.js";
import { tables } from "./table.js";
import { terms } from "./term.js";

function start() {
  // A task each: a fault in one stops no other.
  for (const part of [headings, predictions, questions, marks, commands, tabs, terms, tables]) queueMicrotask(part);
  if (document.querySelector(".bb-evidence")) import("./evidence.js").then(({ evidence }) => evidence());
}

// The theme tells of each page that it shows, the first too.
if (window.document$) window.document$.subscribe(start);
else start();
