/** On a phone the list is a sheet over the map: how far it is drawn up, and how much of the map it covers. */
import { computed, signal } from '@preact/signals';
import { find } from './dom.ts';
import { state } from './model/current.ts';

/** How far it is drawn up; the styles say what that is in pixels. */
export const LEVELS = ['low', 'half', 'full'] as const;
type Level = (typeof LEVELS)[number];

/** What the sheet covers of the page when it is low, in rem, and at half its height, as the styles have it. */
const LOW = 5.2;
const HALF = 0.48;

/** Whether the window has room for one thing beside the map: as the styles have it. Large text takes room, too. */
export const isPhone = matching('(max-width: 47.5em) and (min-height: 31.25em)');

/** Whether the filters have no room of their own: nor in a window of little height, where the page scrolls. */
export const isSmall = matching('(max-width: 47.5em), (max-height: 31.24em)');

export const level = signal<Level>('half');

// What is looked for, and a store, draw it up where too little of it is seen.
const sought = computed(() => state.value.place ?? state.value.words);
const chosen = computed(() => state.value.store);
for (const each of [sought, chosen]) {
  each.subscribe((value) => {
    if (value && level.value === 'low') level.value = 'half';
  });
}

/**
 * Returns the pixels of the map that the sheet covers. Drawn up in full it covers no more than at half its
 * height: it is drawn up to read on, and its list stays what it was.
 */
export function sheetHeight(): number {
  if (!isPhone.peek()) return 0;
  const root = document.documentElement;
  if (level.peek() === 'low') return LOW * Number.parseFloat(getComputedStyle(root).fontSize);
  return halfHeight();
}

export const halfHeight = (): number => HALF * find('explore').clientHeight;

function matching(query: string) {
  const media = matchMedia(query);
  const matches = signal(media.matches);
  media.onchange = () => {
    matches.value = media.matches;
  };
  return matches;
}
