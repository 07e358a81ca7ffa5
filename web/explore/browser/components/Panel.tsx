/** The panel with the list, or the chosen store; on a phone a sheet, drawn by its head, by its list, or by its button. */
import { useRef } from 'preact/hooks';
import { isStale } from '../model/current.ts';
import { service } from '../service/inquiry.ts';
import { isPhone, LEVELS, level } from '../sheet.ts';
import { ListHead } from './ListHead.tsx';
import { Message } from './Message.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { StoreDetail } from './StoreDetail.tsx';
import { StoreList } from './StoreList.tsx';
import { TokenForm } from './TokenForm.tsx';

/** Pixels that a finger may slip while it presses. */
const MAX_SLIP = 6;

export function Panel() {
  const { wasDragged, ...drawing } = useDrawing();
  return (
    <section
      id="panel"
      aria-label="Stores"
      tabIndex={-1}
      aria-busy={isStale.value || undefined}
      data-sheet={level.value}
      {...drawing}
    >
      <button
        type="button"
        id="grip"
        aria-controls="scroller"
        aria-expanded={level.value !== 'low'}
        aria-label={level.value === 'full' ? 'Show the map' : 'Draw the list up'}
        onClick={({ detail }) => {
          // The press that ends a drag does not press the button; a key has no presses.
          if (wasDragged() && detail > 0) return;
          level.value = LEVELS[LEVELS.indexOf(level.value) + 1] ?? 'low';
        }}
      />
      <div id="panel-head">{service.value ? <ListHead /> : <TokenForm />}</div>
      <div id="panel-body">
        <div id="scroller">
          {service.value && (
            <>
              <Message />
              <StoreList />
            </>
          )}
        </div>
        <div id="store">
          <StoreDetail />
        </div>
      </div>
      {service.value && <RequestPanel />}
    </section>
  );
}

/** Has a pointer draw the sheet. Returns the handlers of the panel, and whether the last press has drawn it. */
function useDrawing() {
  const drag = useRef({ start: null as PointerEvent | null, height: 0, isMoving: false }).current;
  const end = ({ clientY, currentTarget }: PanelEvent) => {
    if (drag.start && drag.isMoving) settle(currentTarget, clientY < drag.start.clientY);
    currentTarget.classList.remove('dragged');
    drag.start = null;
  };
  return {
    wasDragged: () => drag.isMoving,
    onPointerDown(event: PanelEvent) {
      drag.isMoving = false;
      drag.start = isPhone.value && event.isPrimary && isHandle(event) ? event : null;
      drag.height = event.currentTarget.offsetHeight;
    },
    onPointerMove(event: PanelEvent) {
      const { start } = drag;
      if (!start || (!drag.isMoving && !begins(start, event.clientY))) return;
      drag.isMoving = true;
      const { classList, style } = event.currentTarget;
      event.currentTarget.setPointerCapture(event.pointerId);
      classList.add('dragged');
      style.height = `${drag.height + start.clientY - event.clientY}px`;
    },
    onTouchMove(event: Event) {
      // What draws the sheet does not scroll the list.
      if (drag.start && drag.isMoving) event.preventDefault();
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

type PanelEvent = PointerEvent & { readonly currentTarget: HTMLElement };

/** Returns whether a press may draw the sheet: on its head, and by a finger on its list. */
function isHandle({ target, pointerType }: PointerEvent): boolean {
  const pressed = target as Element;
  if (pressed.closest('select')) return false;
  const handle = pointerType === 'touch' ? '#grip, .list-head, #scroller' : '#grip, .list-head';
  return pressed.closest(handle) !== null;
}

/** Returns whether a move draws the sheet: at its full height the list scrolls, until it is pulled down from its top. */
function begins({ clientY, target }: PointerEvent, now: number): boolean {
  const down = now - clientY;
  if (Math.abs(down) <= MAX_SLIP) return false;
  const list = (target as Element).closest('#scroller');
  return !list || level.value !== 'full' || (down > 0 && list.scrollTop <= 0);
}

/** Goes on to the next level the way it was drawn. */
function settle(panel: HTMLElement, isUp: boolean): void {
  const height = panel.offsetHeight;
  panel.style.height = '';
  // While heights are measured none is on its way to another: the panel is still marked as dragged.
  const heights = LEVELS.map((each) => {
    panel.dataset.sheet = each;
    return panel.offsetHeight;
  });
  const index = isUp
    ? heights.findIndex((each) => each >= height)
    : heights.findLastIndex((each) => each <= height);
  level.value = LEVELS[index] ?? (isUp ? 'full' : 'low');
  panel.dataset.sheet = level.value;
}
