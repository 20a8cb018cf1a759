/** The open page, and elements for it. */

/** Where the site starts, under whatever path it is served. */
export const root = new URL("../", import.meta.url).href;

/** An address as a path below the root. */
export const below = (href) => href.slice(root.length);

/** The page's own path, without the file name that a folder may be spelled with. */
export const here = () => below(location.origin + location.pathname).replace(/index\.html$/, "");

/** A path as an address, or nothing if it leads out of the site: stored paths are not trusted. */
export function address(path) {
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

/** An element's words on one line, without its permalink and what `without` selects. */
export function words(node, without = "annotation") {
  const copy = node.cloneNode(true);
  for (const part of copy.querySelectorAll(`.headerlink, ${without}`)) part.remove();
  return copy.textContent.replace(/\s+/g, " ").trim();
}

/** The elements that no earlier call was given: a second start changes nothing. */
export function fresh(selector) {
  const found = [...document.querySelectorAll(`${selector}:not([data-bb-ready])`)];
  for (const node of found) node.dataset.bbReady = "";
  return found;
}
