/** Elements of the page: found where they have to be, and made. */

type Child = Node | string | null;

/** The element with this id. @throws Error when the page has none of this kind */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** A new element with properties and attributes (those with a dash), and what is in it. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Readonly<Record<string, unknown>>,
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (value === null || value === undefined) continue;
    if (name.includes('-') || name === 'role') element.setAttribute(name, String(value));
    else Object.assign(element, { [name]: value });
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Waits until nothing has happened for so many milliseconds, then does it once. */
export function debounce(milliseconds: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
