/** The panel with the list, or the chosen store; on a phone a sheet, drawn by its head, by its list, or by its button. */
import { isStale } from '../model/current.ts';
import { service } from '../service/inquiry.ts';
import { halfHeight, isPhone, LEVELS, level } from '../sheet.ts';
import { ListHead } from './ListHead.tsx';
import { RequestPanel } from './RequestPanel.tsx';
import { StoreDetail } from './StoreDetail.tsx';
import { StoreList } from './StoreList.tsx';
import { TokenForm } from './TokenForm.tsx';

/** Pixels that a finger may slip while it presses. */
const MAX_SLIP = 6;

/** The press that may draw the sheet, or has drawn it. */
const drag = { start: null as PointerEvent | null, height: 0, isMoving: false };

export const Panel = () => (
  <section
    id="panel"
    aria-label="Stores"
    tabIndex={-1}
    aria-busy={isStale.value || undefined}
    data-sheet={level.value}
    onPointerDown={press}
    onPointerMove={draw}
    onTouchMove={(event) => {
      // What draws the sheet does not scroll the list.
      if (drag.start && drag.isMoving) event.preventDefault();
    }}
    onPointerUp={release}
    onPointerCancel={release}
  >
    <button
      type="button"
      id="grip"
      aria-controls="panel-body"
      aria-expanded={level.value !== 'low'}
      aria-label={level.value === 'full' ? 'Show the map' : 'Draw the list up'}
      onClick={({ detail }) => {
        // The press that ends a drag does not press the button; a key has no presses.
        if (drag.isMoving && detail > 0) return;
        level.value = LEVELS[LEVELS.indexOf(level.value) + 1] ?? 'low';
      }}
    />
    <div id="panel-head">{service.value ? <ListHead /> : <TokenForm />}</div>
    <div id="panel-body">
      {service.value && <StoreList />}
      <StoreDetail />
    </div>
    {service.value && <RequestPanel />}
  </section>
);

type PanelEvent = PointerEvent & { readonly currentTarget: HTMLElement };

function press(event: PanelEvent): void {
  drag.isMoving = false;
  drag.start = isPhone.value && event.isPrimary && isHandle(event) ? event : null;
  drag.height = event.currentTarget.offsetHeight;
  // A fast mouse is beyond the panel with its first move.
  if (drag.start) (event.target as Element).setPointerCapture(event.pointerId);
}

function draw({ currentTarget, pointerId, clientY }: PanelEvent): void {
  const { start } = drag;
  if (!start || (!drag.isMoving && !begins(start, clientY))) return;
  drag.isMoving = true;
  currentTarget.setPointerCapture(pointerId);
  currentTarget.style.height = `${drag.height + start.clientY - clientY}px`;
}

/** Goes on to the next level the way it was drawn. */
function release({ currentTarget, clientY }: PanelEvent): void {
  if (drag.start && drag.isMoving) {
    const isUp = clientY < drag.start.clientY;
    const isHigh = currentTarget.offsetHeight > halfHeight();
    if (isUp) level.value = isHigh ? 'full' : 'half';
    else level.value = isHigh ? 'half' : 'low';
    currentTarget.style.height = '';
  }
  drag.start = null;
}

/** Returns whether a press may draw the sheet: on its head, and by a finger on its list. */
function isHandle({ target, pointerType }: PointerEvent): boolean {
  const pressed = target as Element;
  if (pressed.closest('select, dialog')) return false;
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
