/** The open page: its place, its words, new elements. */

export const root = new URL("../", import.meta.url).href; // wherever the site is served

export const below = (href) => href.slice(root.length);

export const here = () => below(location.origin + location.pathname).replace(/index\.html$/, "");

/** A path below the root as an address, or nothing: what was stored must not lead out. */
export function address(path = "//") {
  const href = URL.parse(path, root)?.href;
  return href?.startsWith(root) ? href : undefined;
}

/** A new element; text in it is never parsed. */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const name in attributes) made.setAttribute(name, attributes[name]);
  made.append(...children);
  return made;
}

/** An element's words on one line, but for parts of it; of a formula its source. */
export function words(node, without = ".headerlink") {
  const copy = node.cloneNode(true);
  for (const part of copy.querySelectorAll(`${without}, semantics > :not(annotation)`)) part.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** Elements that no earlier call gave. */
export const fresh = (selector) =>
  [...document.querySelectorAll(selector)].filter((node) => !seen.has(node) && seen.add(node));

const seen = new WeakSet();
