/** Makes an element with these properties and these contents. */
export function make<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  properties: Partial<HTMLElementTagNameMap[Tag]> = {},
  ...children: readonly (Node | string | null)[]
): HTMLElementTagNameMap[Tag] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** Makes a `span` of this class. */
export const span = (
  className: string,
  ...children: readonly (Node | string | null)[]
): HTMLSpanElement => make('span', { className }, ...children);
