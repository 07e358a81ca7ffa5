/** Elements of the page. */
import { ICONS, type IconName } from './model/icon-paths.ts';

const SVG = 'http://www.w3.org/2000/svg';

/** The element with this id. @throws Error when the page has none, or one of another kind */
export function find(id: string): HTMLElement;
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind;
export function find(id: string, kind = HTMLElement): HTMLElement {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} #${id}`);
  return found;
}

/** A picture that says nothing that is not said in words beside it. */
export function icon(name: IconName): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.ariaHidden = 'true';
  const path = document.createElementNS(SVG, 'path');
  path.setAttribute('d', ICONS[name]);
  svg.append(path);
  return svg;
}
