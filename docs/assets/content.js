/** What is on a page already, made easier: headings link, tabs open together, tables are sorted. */

import { element, fresh } from "./page.js";
import { attempt } from "./store.js";

const KEY = "jax-measured.backend";

export function headings() {
  for (const heading of fresh(".md-content :is(h2, h3)[id]:not(:has(a))")) {
    heading.append(element("a", { class: "headerlink", href: `#${heading.id}`, title: "Permanent link" }, "\u00b6"));
  }
}

export function tabs() {
  for (const set of fresh(".tabbed-set")) {
    set.addEventListener("change", ({ target }) => {
      const [label] = target.labels;
      const { top } = label.getBoundingClientRect();
      open(label.dataset.backend);
      scrollBy({ top: label.getBoundingClientRect().top - top, behavior: "instant" }); // the page above changed
      attempt(() => localStorage.setItem(KEY, label.dataset.backend));
    });
  }
  open(attempt(() => localStorage.getItem(KEY)));
}

function open(backend) {
  for (const label of document.querySelectorAll(".tabbed-labels > label")) {
    if (label.dataset.backend === backend) label.control.checked = true;
  }
}

export function tables() {
  for (const table of fresh("table[data-sortable]")) {
    for (const heading of table.tHead.querySelectorAll("th")) {
      const button = element("button", {}, ...heading.childNodes);
      button.addEventListener("click", () => sort(table, heading));
      heading.append(button);
    }
  }
}

function sort(table, heading) {
  const sign = heading.ariaSort === "ascending" ? -1 : 1;
  for (const other of heading.parentNode.children) other.ariaSort = null;
  heading.ariaSort = sign > 0 ? "ascending" : "descending";
  for (const body of table.tBodies) {
    const groups = []; // each row with the note below it
    for (const row of body.rows) {
      if (row.matches(":has(> .bb-note)")) groups.at(-1).push(row);
      else groups.push([row]);
    }
    groups.sort(([one], [other]) => compare(one.cells[heading.cellIndex], other.cells[heading.cellIndex], sign));
    body.append(...groups.flat());
  }
}

/** By number, else by text; what is missing comes last either way. */
function compare(one, other, sign) {
  const [first, second] = [one, other].map((cell) => cell.dataset.value ?? cell.textContent.trim());
  if (!first || !second) return !first - !second;
  return sign * (first - second || first.localeCompare(second, "en", { numeric: true }));
}
