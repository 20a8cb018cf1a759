/** Tabs of one backend, opened together across the page and on the next one. */

import { fresh } from "./page.js";

const KEY = "jax-measured.backend";

export function tabs() {
  for (const set of fresh(".tabbed-set")) set.addEventListener("change", chosen);
  let kept;
  try {
    kept = localStorage.getItem(KEY);
  } catch {
    return; // storage is forbidden: each page opens with its first tabs
  }
  open(kept);
}

function chosen({ target }) {
  const label = document.querySelector(`label[for="${target.id}"]`);
  const { top } = label.getBoundingClientRect();
  open(label.dataset.backend);
  scrollBy({ top: label.getBoundingClientRect().top - top, behavior: "instant" }); // what stands above changed its height
  try {
    localStorage.setItem(KEY, label.dataset.backend);
  } catch {
    // nothing is kept, and the page is right all the same
  }
}

/** Opens the tab of a backend wherever there is one. */
function open(backend) {
  for (const label of document.querySelectorAll(".tabbed-labels > label")) {
    if (backend && label.dataset.backend === backend) document.getElementById(label.htmlFor).checked = true;
  }
}
