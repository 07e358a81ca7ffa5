/**
 * Places popovers: each below its button, as far to the right as there is room for it. Not all browsers
 * can say that in a style. Those before 2024 may not know popovers at all: there they only open and close,
 * but for the menu of the header, which lies open.
 */
import { find } from './dom.ts';

/** Pixels that popovers stay away from what is around them. */
const EDGE = 8;

const KNOWS_POPOVERS = 'popover' in HTMLElement.prototype;

for (const button of document.querySelectorAll<HTMLButtonElement>('[popovertarget]')) {
  const popover = (button.popoverTargetElement ??
    find(button.getAttribute('popovertarget') ?? '')) as HTMLElement;
  const place = () => {
    const { left, bottom } = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = popover;
    const [right, lowest] = [innerWidth - offsetWidth - EDGE, innerHeight - offsetHeight - EDGE];
    style.left = `${Math.max(EDGE, Math.min(left, right))}px`;
    style.top = `${Math.max(EDGE, Math.min(bottom + EDGE, lowest))}px`;
  };
  popover.ontoggle = place;
  if (KNOWS_POPOVERS || !find('explore').contains(button)) continue;
  popover.hidden = true;
  button.onclick = () => {
    popover.hidden = !popover.hidden;
    place();
  };
}
