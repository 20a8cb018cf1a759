/** A heading's own address, to copy. The contents lead to the same places where no script runs. */

import { element, fresh } from "./page.js";

export function headings() {
  for (const heading of fresh(".md-content :is(h2, h3)[id]")) {
    heading.append(element("a", { class: "headerlink", href: `#${heading.id}`, title: "Permanent link" }, "\u00b6"));
  }
}
