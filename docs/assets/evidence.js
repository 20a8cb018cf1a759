/** The evidence page: what this browser keeps, to read, to take along, to remove. */

import { address, element, fresh, root } from "./page.js";
import { clear, paths, read, warn, watch } from "./store.js";

export function evidence() {
  for (const place of fresh(".bb-evidence")) {
    const said = element("p", { role: "status" });
    const list = element("div");
    const save = element("a", { download: "evidence.md" }, "Download as Markdown");
    const copy = element("button", {}, "Copy as Markdown");
    const remove = element("button", {}, "Remove everything kept here");
    const dialog = confirmation();
    const show = () => {
      const known = paths();
      const found = known?.sort().flatMap(rows) ?? [];
      const text = [`# Evidence: ${plain(document.querySelector(".md-logo").title)}`, `From <${root}> on ${new Date().toISOString()}`, ...found.flatMap(written)].join("\n\n");
      save.hidden = copy.hidden = !found.length;
      said.textContent = found.length ? "" : "Nothing is kept in this browser yet.";
      if (!known) warn(said);
      save.href = URL.createObjectURL(new Blob([text, "\n"], { type: "text/markdown" }));
      copy.dataset.clipboardText = text; // the theme copies it, and says so
      list.replaceChildren(...found.flatMap(drawn));
    };
    remove.addEventListener("click", () => dialog.showModal());
    dialog.addEventListener("close", () => {
      if (dialog.returnValue) clear();
      dialog.returnValue = ""; // Escape leaves it as it was
      show();
    });
    place.replaceChildren(element("p", { class: "bb-bar" }, save, copy, remove), said, list, dialog);
    watch(show);
  }
}

/** Asks first; Escape and the first button mean no. */
function confirmation() {
  const [no, yes] = ["", "Remove it"].map((value) => element("button", { value }, value || "Keep it"));
  const text = "Remove all predictions, answers and marks from this browser?";
  return element("dialog", { "aria-label": text }, element("form", { method: "dialog" }, element("p", {}, text), no, yes));
}

/** What is kept of a page: its heading, and parts with lines. */
function rows(path) {
  const page = read(path);
  const part = (heading, name, row) => {
    const found = Object.entries(page[name]).map(([id, entry]) => ({ to: `${path}#${id}`, at: entry.at, ...row(entry) }));
    return found.length ? [{ level: 3, text: heading }, ...found] : [];
  };
  return [
    { level: 2, text: page.title || path, to: path },
    ...part("Predictions", "predictions", ({ question, text }) => ({ text: question, typed: text })),
    ...part("First answers", "answers", (first) => ({ text: `${first.question} ${first.letter}: ${first.option} (${first.right})` })),
    ...part("Done", "done", ({ what }) => ({ text: what })),
    ...part("Runs on this page", "provenance", ({ text, link }) => ({ text, to: link })),
  ];
}

function drawn({ level, text, to, at, typed }) {
  const href = address(to);
  const name = href ? element("a", { href }, text) : text;
  const line = element(level ? `h${level}` : "p", {}, name, at ? element("time", {}, ` ${at.slice(0, 10)}`) : "");
  return typed ? [line, element("pre", {}, typed)] : [line];
}

function written({ level, text, to, at = "", typed }) {
  const name = to === undefined ? text : `[${plain(text)}](<${address(to) ?? ""}>)`;
  const line = `${"#".repeat(level) || "-"} ${name} ${plain(at.slice(0, 10))}`.trim();
  return typed ? [line, fenced(typed)] : [line];
}

/** In a fence longer than any within, where no sign has a meaning. */
function fenced(text) {
  let fence = "```";
  while (text.includes(fence)) fence += "`";
  return `${fence}text\n${text}\n${fence}`;
}

/** On one line, with no sign that means something in any dialect. */
const plain = (text) =>
  text
    .replace(/\s+/g, " ")
    .replace(/[<>&|~$]/g, (sign) => `&#${sign.charCodeAt()};`)
    .replace(/[\\`*_{}[\]]/g, "\\$&");
