/** The list of stores, some dozens of rows at a time: thousands would make the page slow. */
import { computed, signal, useComputed } from '@preact/signals';
import { find } from '../dom.ts';
import { act, hovered, inOrder, listed, state } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import { describeDistance, describeVerticales } from '../model/words.ts';
import { Icon } from './Icon.tsx';
import { Message } from './Message.tsx';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

/** Rows at first, and how many come when the list is scrolled near to the last of them, or a button is pressed. */
const ROWS_A_TIME = 30;

/** Pixels from the end of the list that are near to it. */
const NEAR = 300;

/** Id of the row that the Tab key comes to; null: the first one. */
const reached = signal<string | null>(null);

/** Puts the focus on the row of a store, or on the panel where the list does not have it. */
export function focusRow(id: string | null): void {
  const row = document.querySelector<HTMLElement>(`#list button[data-id="${id}"]`);
  (row ?? find('panel')).focus();
}

const shown = signal(ROWS_A_TIME);

function showMore(): void {
  shown.value += ROWS_A_TIME;
}

// Paper has no button for more.
addEventListener('beforeprint', () => {
  shown.value = inOrder.value.length;
});
// Another head is another list, which begins at its top.
computed(() => listed.value[0]?.id).subscribe(() => {
  shown.value = ROWS_A_TIME;
  document.getElementById('scroller')?.scrollTo(0, 0);
});

export function StoreList() {
  const rows = listed.value.slice(0, shown.value);
  const stop = rows.find(({ id }) => id === reached.value) ?? rows[0];
  const hasMore = rows.length < listed.value.length;
  return (
    <div
      id="scroller"
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        if (hasMore && scrollHeight - scrollTop - clientHeight < NEAR) showMore();
      }}
    >
      <Message />
      <ol id="list" aria-label="Stores" onKeyDown={step}>
        {rows.map((store) => (
          <StoreRow key={store.id} store={store} isStop={store === stop} />
        ))}
      </ol>
      {hasMore && (
        <button
          type="button"
          id="more"
          onClick={() => {
            const last = document.querySelector('#list li:last-child');
            showMore();
            setTimeout(() => last?.nextElementSibling?.querySelector('button')?.focus());
          }}
        >
          Show more
        </button>
      )}
    </div>
  );
}

/** Shows a store in the list. */
function StoreRow({
  store,
  isStop,
}: Readonly<{
  store: FoundStore;
  /** Whether the Tab key comes to it. */
  isStop: boolean;
}>) {
  const { id, name, verticales, city, distance, rating } = store;
  // Only the rows are drawn anew that this is about.
  const isHovered = useComputed(() => hovered.value === id);
  const isChosen = useComputed(() => state.value.store === id);
  const light = () => {
    hovered.value = id;
  };
  const unlight = () => {
    hovered.value = null;
  };
  return (
    <li>
      <button
        type="button"
        data-id={id}
        class={isHovered.value ? 'hovered' : undefined}
        aria-pressed={isChosen}
        tabIndex={isStop ? 0 : -1}
        onClick={() => act({ store: id })}
        onPointerEnter={light}
        onPointerLeave={unlight}
        onFocus={() => {
          light();
          reached.value = id;
        }}
        onBlur={unlight}
      >
        <span class="picture">
          <Icon name={iconOf(verticales)} />
        </span>
        <span class="name" dir="auto">
          {name}
        </span>
        <span class="distance">{describeDistance(distance)}</span>
        <span class="note">{describeVerticales(verticales, 3)}</span>
        {rating && <Rating {...rating} />}
        <span class="where note">
          <bdi>{city ?? 'Address not shown'}</bdi>
          <OpeningWords of={store} />
        </span>
      </button>
    </li>
  );
}

/** Moves from row to row by arrows: the list is one stop of the Tab key. */
function step(event: KeyboardEvent): void {
  const { key, currentTarget, target } = event;
  const buttons = [...(currentTarget as HTMLElement).querySelectorAll('button')];
  const index = buttons.indexOf(target as HTMLButtonElement);
  const next = { ArrowDown: index + 1, ArrowUp: index - 1, Home: 0, End: buttons.length - 1 }[key];
  if (next === undefined) return;
  event.preventDefault();
  buttons[next]?.focus();
}
