/** What a reader does in a lesson: predict, answer, tick off, run. */

import { element, fresh, root, words } from "./page.js";
import { keep, read, watch } from "./store.js";

const PAUSE = 500; // ms without a key
const OTHERS = "details, .tabbed-set, :not(a, span)[class*=bb-]"; // no words of a question

export function predictions() {
  for (const section of fresh(".bb-predict")) {
    const question = words(section, OTHERS);
    const id = `${section.id}-text`;
    const area = element("textarea", { id, rows: 2, "aria-describedby": `${id}-note` });
    const label = element("label", { for: id }, "Your prediction");
    const note = element("span", { id: `${id}-note` }, "It stays in this browser. ");
    const status = element("span", { role: "status" });
    const field = element("div", { class: "bb-field" }, label, area, element("p", {}, note, status));
    section.querySelector(":scope > .bb-answer").before(field);

    let timer = 0;
    const save = () => {
      if (!timer) return;
      timer = clearTimeout(timer);
      const entry = area.value.trim() && { question, text: area.value };
      status.textContent = keep(field, "predictions", section.id, entry) && entry ? "Kept." : "";
    };
    const fit = () => {
      area.style.height = "auto";
      area.style.height = `${area.scrollHeight + 2}px`; // and its borders
    };
    area.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(save, PAUSE);
      fit();
    });
    for (const event of ["focusout", "visibilitychange", "pagehide"]) addEventListener(event, save);
    watch(() => {
      if (timer) return;
      area.value = read().predictions[section.id]?.text ?? "";
      status.textContent = area.value && "Kept.";
      fit();
    });
  }
}

export function questions() {
  for (const section of fresh(".bb-question")) {
    const question = words(section, OTHERS);
    const options = section.querySelectorAll(":scope > .bb-option");
    const said = element("span", { role: "status" });
    const forget = element("button", {}, "Clear");
    const line = element("p", { class: "bb-first" }, said, " ", forget);
    const first = () => read().answers[section.id];
    const show = () => {
      said.textContent = first() ? `Your first answer: ${first().letter}` : "";
      forget.hidden = !first();
    };
    const set = (answer) => {
      keep(line, "answers", section.id, answer);
      show();
    };
    for (const option of options) {
      const summary = option.firstElementChild;
      // "toggle" comes of printing too.
      summary.addEventListener("click", () => {
        const right = "right" in option.dataset ? "right" : "not right";
        const { letter } = option.dataset;
        if (!option.open && !first()) set({ question, letter, option: words(summary, ".bb-letter"), right });
      });
    }
    forget.addEventListener("click", () => {
      set();
      for (const option of options) option.open = false;
      options[0].firstElementChild.focus();
    });
    section.append(line);
    watch(show);
  }
}

export function marks() {
  for (const article of fresh("article:has(.bb-predict, .bb-question, .bb-solution)")) {
    const last = new Map(); // solution below a heading
    let heading;
    for (const node of article.querySelectorAll(":is(h1, h2, h3, h4, h5, h6)[id], .bb-solution")) {
      if (!node.matches(".bb-solution")) heading = node;
      else if (heading) last.set(heading, node);
    }
    for (const [task, fold] of last) fold.after(box(task.id, words(task), "I have done this exercise"));
    const mark = box("lesson-done", "The lesson", "I have worked through this lesson");
    const link = element("a", { href: `${root}evidence/` }, "All that this browser keeps");
    article.append(element("div", { class: "bb-end", id: "lesson-done" }, mark, element("p", {}, link)));
  }
}

function box(id, what, label) {
  const input = element("input", { type: "checkbox", "aria-describedby": id });
  const line = element("p", { class: "bb-done" }, element("label", {}, input, ` ${label}`));
  input.addEventListener("change", () => keep(line, "done", id, input.checked && { what }));
  watch(() => (input.checked = id in read().done));
  return line;
}

export function commands() {
  for (const code of fresh(".bb-run")) {
    // A site built without address has one here.
    if (!code.textContent.includes("://")) code.textContent = `uv run ${root}${code.dataset.path}`;
    // The theme draws it and copies.
    const look = { class: "md-code__button", title: "Copy to clipboard", "data-md-type": "copy" };
    code.after(element("button", { "data-clipboard-text": code.textContent, ...look }));
  }
}
