/** On a phone the list is a sheet over the map, drawn up by the finger or by its button. */
import { find } from './dom.ts';

/** How far it is drawn up; the styles say what that is in pixels. */
const LEVELS = ['low', 'half', 'full'] as const;
type Level = (typeof LEVELS)[number];

/** Pixels that a finger may slip while it presses. */
const SLIP = 6;

const PHONE = matchMedia('(max-width: 760px)');

const panel = find('panel');
const grip = find('grip');
let level: Level;
let hasDragged = false;

show('half');
grip.onpointerdown = drag;
grip.onclick = ({ detail }) => {
  // The press that ends a drag is none of the button's; a key has no presses.
  if (hasDragged && detail > 0) return;
  show(LEVELS[LEVELS.indexOf(level) + 1] ?? 'low');
};

/** Draws the sheet up where too little of it is seen. */
export function raiseSheet(): void {
  if (level === 'low') show('half');
}

/** Pixels of the map that the sheet covers. */
export const sheetHeight = (): number => (PHONE.matches ? panelHeight() : 0);

const panelHeight = (): number => panel.getBoundingClientRect().height;

function show(next: Level): void {
  level = next;
  panel.dataset.sheet = level;
  panel.style.height = '';
  grip.ariaExpanded = String(level !== 'low');
  grip.ariaLabel = level === 'full' ? 'Show the map' : 'Draw the list up';
}

function drag(start: PointerEvent): void {
  const before = panelHeight();
  hasDragged = false;
  panel.classList.add('dragged');
  grip.setPointerCapture(start.pointerId);
  grip.onpointermove = ({ clientY }) => {
    const moved = start.clientY - clientY;
    hasDragged ||= Math.abs(moved) > SLIP;
    if (hasDragged) panel.style.height = `${before + moved}px`;
  };
  grip.onlostpointercapture = ({ clientY }) => {
    grip.onpointermove = null;
    if (hasDragged) settle(panelHeight(), clientY < start.clientY);
    panel.classList.remove('dragged');
  };
}

/** Goes on to the next level the way it was drawn. */
function settle(height: number, isUp: boolean): void {
  const heights = LEVELS.map((each) => {
    show(each);
    return panelHeight();
  });
  const place = isUp
    ? heights.findIndex((each) => each >= height)
    : heights.findLastIndex((each) => each <= height);
  show(LEVELS[place] ?? (isUp ? 'full' : 'low'));
}
