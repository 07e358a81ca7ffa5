/** On a phone the list is a sheet over the map, drawn up by the finger or by its button. */
import { find } from './dom.ts';

/** How far it is drawn up; the styles say what that is in pixels. */
const LEVELS = ['low', 'half', 'full'] as const;
export type Level = (typeof LEVELS)[number];

/** Pixels that a finger may slip while it presses. */
const SLIP = 6;

const PHONE = matchMedia('(max-width: 760px)');

export class Sheet {
  private readonly panel = find('panel', HTMLElement);
  private readonly grip = find('grip', HTMLButtonElement);
  private hasDragged = false;

  constructor() {
    this.grip.addEventListener('pointerdown', (event) => this.drag(event));
    this.grip.addEventListener('click', ({ detail }) => {
      // The press that ends a drag is none of the button's; a key has no presses.
      if (this.hasDragged && detail > 0) return;
      this.show(LEVELS[LEVELS.indexOf(this.level) + 1] ?? 'low');
    });
    this.show('half');
  }

  show(level: Level): void {
    this.panel.dataset.sheet = level;
    this.panel.style.height = '';
    this.grip.setAttribute('aria-expanded', String(level !== 'low'));
    this.grip.setAttribute('aria-label', level === 'full' ? 'Show the map' : 'Draw the list up');
  }

  /** Draws it up where too little of it is seen. */
  rise(): void {
    if (this.level === 'low') this.show('half');
  }

  /** Pixels of the map that it covers. */
  get covered(): number {
    return PHONE.matches ? panelHeight(this.panel) : 0;
  }

  private get level(): Level {
    return this.panel.dataset.sheet as Level;
  }

  private drag(start: PointerEvent): void {
    const { grip, panel } = this;
    const before = panelHeight(panel);
    this.hasDragged = false;
    panel.classList.add('dragged');
    const move = ({ clientY }: PointerEvent) => {
      const moved = start.clientY - clientY;
      this.hasDragged ||= Math.abs(moved) > SLIP;
      if (this.hasDragged) panel.style.height = `${before + moved}px`;
    };
    const end = ({ clientY }: PointerEvent) => {
      grip.removeEventListener('pointermove', move);
      if (this.hasDragged) this.settle(panelHeight(panel), clientY < start.clientY);
      panel.classList.remove('dragged');
    };
    grip.setPointerCapture(start.pointerId);
    grip.addEventListener('pointermove', move);
    grip.addEventListener('pointerup', end, { once: true });
    grip.addEventListener('pointercancel', end, { once: true });
  }

  /** Goes on to the next level the way it was drawn. */
  private settle(height: number, isUp: boolean): void {
    const heights = LEVELS.map((level) => {
      this.show(level);
      return panelHeight(this.panel);
    });
    const place = isUp
      ? heights.findIndex((each) => each >= height)
      : heights.findLastIndex((each) => each <= height);
    this.show(LEVELS[place] ?? (isUp ? 'full' : 'low'));
  }
}

const panelHeight = (panel: HTMLElement): number => panel.getBoundingClientRect().height;
