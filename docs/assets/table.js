/** Tables that a reader can sort. */

import { element, fresh } from "./page.js";

export function tables() {
  for (const table of fresh("table[data-sortable]")) {
    for (const heading of table.tHead.querySelectorAll("th")) {
      const button = element("button", { type: "button" }, ...heading.childNodes);
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
    const groups = []; // each row with the notes below it
    for (const row of body.rows) {
      if (row.matches(":has(> .bb-note)")) groups.at(-1).push(row);
      else groups.push([row]);
    }
    groups.sort(([one], [other]) => compare(one.cells[heading.cellIndex], other.cells[heading.cellIndex], sign));
    body.append(...groups.flat());
  }
}

/** By number where the cells have one, else by text; what is missing comes last, whatever the direction. */
function compare(one, other, sign) {
  const [first, second] = [one, other].map((cell) => cell.dataset.value ?? cell.textContent.trim());
  if (!first || !second) return !first - !second;
  return sign * (first - second || first.localeCompare(second, "en", { numeric: true }));
}
