/** Elements of the page: found where they have to be, and made. */
import { ICONS, type IconName } from './icon-paths.ts';

/** Pixels that popovers stay away from what is around them. */
const EDGE = 8;

const SVG = 'http://www.w3.org/2000/svg';

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

/** A picture that says nothing that is not said in words beside it. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}

/** Says beside an input what is wrong with it, or nothing. */
export function tellFault(id: string, fault: string): void {
  find(`${id}-fault`, HTMLParagraphElement).textContent = fault;
  const input = find(id, HTMLInputElement);
  if (fault === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

/** Each popover opens below its button, as far to the right as there is room for it. */
export function placePopovers(): void {
  for (const button of document.querySelectorAll<HTMLButtonElement>('[popovertarget]')) {
    const popover = button.popoverTargetElement;
    if (!(popover instanceof HTMLElement)) continue;
    popover.addEventListener('toggle', () => {
      const { left, bottom } = button.getBoundingClientRect();
      const { offsetWidth, offsetHeight } = popover;
      const room = { x: innerWidth - offsetWidth - EDGE, y: innerHeight - offsetHeight - EDGE };
      popover.style.setProperty('--left', `${Math.max(EDGE, Math.min(left, room.x))}px`);
      popover.style.setProperty('--top', `${Math.max(EDGE, Math.min(bottom + EDGE, room.y))}px`);
    });
  }
}

/** Waits until nothing has happened for so many milliseconds, then does it once. */
export function debounce(milliseconds: number, work: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(work, milliseconds);
  };
}
