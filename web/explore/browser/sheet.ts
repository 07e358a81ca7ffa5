/** On a phone the list is a sheet over the map, drawn by its head, by its list, or by its button. */
import { effect, signal } from '@preact/signals';
import { find } from './dom.ts';

/** How far it is drawn up; the styles say what that is in pixels. */
const LEVELS = ['low', 'half', 'full'] as const;
type Level = (typeof LEVELS)[number];

/** Pixels that a finger may slip while it presses. */
const SLIP = 6;

/** Windows with room for one thing beside the map, or not even for the map: as the styles have them. Large text takes room, too. */
const PHONE = follow('(max-width: 47.5em) and (min-height: 31.25em)');
const SHORT = follow('(max-height: 31.24em)');

/** Whether the filters have no room of their own. */
export const isSmall = signal(false);
effect(() => {
  isSmall.value = PHONE.value || SHORT.value;
});

const panel = find('panel');
const grip = find('grip');
const scroller = find('scroller');

export const level = signal<Level>('half');

let start: PointerEvent | null = null;
let before = 0;
let isDragged = false;

effect(() => {
  panel.dataset.sheet = level.value;
  panel.style.height = '';
  grip.ariaExpanded = String(level.value !== 'low');
  grip.ariaLabel = level.value === 'full' ? 'Show the map' : 'Draw the list up';
});

grip.onclick = ({ detail }) => {
  // The press that ends a drag is none of the button's; a key has no presses.
  if (isDragged && detail > 0) return;
  level.value = LEVELS[LEVELS.indexOf(level.value) + 1] ?? 'low';
};
panel.onpointerdown = (event) => {
  isDragged = false;
  if (!PHONE.value || !event.isPrimary) return;
  const target = event.target as Element;
  const isOfHead = target.closest('#grip, .list-head') && !target.closest('select');
  const isOfList = scroller.contains(target) && event.pointerType === 'touch';
  start = isOfHead || isOfList ? event : null;
  before = panelHeight();
};
panel.onpointermove = (event) => {
  if (!start || (!isDragged && !begins(event))) return;
  isDragged = true;
  panel.setPointerCapture(event.pointerId);
  panel.classList.add('dragged');
  panel.style.height = `${before + start.clientY - event.clientY}px`;
};
panel.onpointerup = panel.onpointercancel = ({ clientY }) => {
  // While heights are measured none may be on its way to another.
  if (start && isDragged) settle(panelHeight(), clientY < start.clientY);
  panel.classList.remove('dragged');
  start = null;
};
// What draws the sheet does not scroll the list.
panel.addEventListener('touchmove', (event) => isDragged && start && event.preventDefault(), {
  passive: false,
});

/** Whether a move draws the sheet: at its full height the list scrolls, until it is pulled down from its top. */
function begins({ clientY }: PointerEvent): boolean {
  const down = clientY - (start?.clientY ?? 0);
  if (Math.abs(down) <= SLIP) return false;
  const isOfList = scroller.contains(start?.target as Element);
  return !isOfList || level.value !== 'full' || (down > 0 && scroller.scrollTop <= 0);
}

/** Draws the sheet up where too little of it is seen. */
export function raiseSheet(): void {
  if (level.value === 'low') level.value = 'half';
}

/** The part of the page that the sheet covers at half its height, as the styles have it. */
const HALF = 0.48;

/**
 * Pixels of the map that the sheet covers. Drawn up in full it covers no more than at half its height: it is
 * drawn up to read on, and its list stays what it was.
 */
export function sheetHeight(): number {
  if (!PHONE.peek()) return 0;
  return Math.min(panelHeight(), HALF * (panel.parentElement?.clientHeight ?? 0));
}

const panelHeight = (): number => panel.getBoundingClientRect().height;

/** Goes on to the next level the way it was drawn. */
function settle(height: number, isUp: boolean): void {
  const heights = LEVELS.map((each) => {
    level.value = each;
    panel.style.height = '';
    return panelHeight();
  });
  const index = isUp
    ? heights.findIndex((each) => each >= height)
    : heights.findLastIndex((each) => each <= height);
  level.value = LEVELS[index] ?? (isUp ? 'full' : 'low');
}

function follow(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.onchange = () => {
    matches.value = media.matches;
  };
  return matches;
}
