/**
 * Places popovers: each below its button, as far to the right as there is room for it. Not all browsers
 * can say that in a style.
 */

/** Pixels that popovers stay away from what is around them. */
const EDGE = 8;

for (const button of document.querySelectorAll<HTMLButtonElement>('[popovertarget]')) {
  const popover = button.popoverTargetElement as HTMLElement;
  popover.ontoggle = () => {
    const { left, bottom } = button.getBoundingClientRect();
    const { offsetWidth, offsetHeight, style } = popover;
    const [right, lowest] = [innerWidth - offsetWidth - EDGE, innerHeight - offsetHeight - EDGE];
    style.left = `${Math.max(EDGE, Math.min(left, right))}px`;
    style.top = `${Math.max(EDGE, Math.min(bottom + EDGE, lowest))}px`;
  };
}
