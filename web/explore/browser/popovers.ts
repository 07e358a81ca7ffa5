/**
 * Places popovers: each below its button, as far to the right as there is room for it. Not all browsers
 * can say that in a style.
 */

/** Pixels that popovers stay away from what is around them. */
const EDGE = 8;

addEventListener('toggle', moveBelow, { capture: true });

function moveBelow({ target }: Event): void {
  if (!(target instanceof HTMLElement)) return;
  const button = document.querySelector(`[popovertarget="${target.id}"]`);
  if (!button) return;
  const { left, bottom } = button.getBoundingClientRect();
  const { style } = target;
  style.removeProperty('--room');
  const right = innerWidth - target.offsetWidth - EDGE;
  const lowest = innerHeight - target.offsetHeight - EDGE;
  const top = Math.max(EDGE, Math.min(bottom + EDGE, lowest));
  style.left = `${Math.max(EDGE, Math.min(left, right))}px`;
  style.top = `${top}px`;
  // What a fault adds scrolls.
  style.setProperty('--room', `${innerHeight - top - EDGE}px`);
}
