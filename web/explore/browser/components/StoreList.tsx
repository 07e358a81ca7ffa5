/** The list of stores, some dozens of rows at a time: thousands would make the page slow. */
import { signal, useComputed, useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { find } from '../dom.ts';
import { act, hovered, inOrder, listed, state } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import { describeDistance, describeVerticales } from '../model/words.ts';
import { Icon } from './Icon.tsx';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

/** Rows at first, and how many come when the last of them are in sight. */
const ROWS_A_TIME = 30;

/** Id of the row that the Tab key comes to; null: the first one. */
const reached = signal<string | null>(null);

/** Puts the focus on the row of a store, or on the panel where the list does not have it. */
export function focusRow(id: string | null): void {
  const row = document.querySelector<HTMLElement>(`#list button[data-id="${id}"]`);
  (row ?? find('panel')).focus();
}

export function StoreList() {
  const shown = useSignal(ROWS_A_TIME);
  const list = useRef<HTMLOListElement>(null);
  // Another head is another list, which begins at its top.
  const head = listed.value[0]?.id;
  useEffect(() => {
    shown.value = ROWS_A_TIME;
    if (list.current?.parentElement) list.current.parentElement.scrollTop = 0;
  }, [head]);
  const rows = listed.value.slice(0, shown.value);
  const stop = rows.find(({ id }) => id === reached.value) ?? rows[0];
  useEffect(() => {
    // Paper has no button for more.
    const showAll = () => {
      shown.value = inOrder.value.length;
    };
    addEventListener('beforeprint', showAll);
    return () => removeEventListener('beforeprint', showAll);
  }, []);
  return (
    <>
      <ol id="list" ref={list} aria-label="Stores" onKeyDown={step}>
        {rows.map((store) => (
          <StoreRow key={store.id} store={store} isStop={store === stop} />
        ))}
      </ol>
      {rows.length < listed.value.length && (
        <More
          onMore={() => {
            shown.value += ROWS_A_TIME;
          }}
        />
      )}
    </>
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
        <span class="rents note">{describeVerticales(verticales, 3)}</span>
        {rating && <Rating {...rating} />}
        <span class="where note">
          <bdi>{city ?? 'Address not shown'}</bdi>
          <OpeningWords of={store} />
        </span>
      </button>
    </li>
  );
}

/** Shows more rows when it comes into sight of the list, or is pressed. */
function More({ onMore }: { readonly onMore: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const more = button.current as HTMLButtonElement;
    const root = more.parentElement?.parentElement as HTMLElement;
    const watch = new IntersectionObserver(
      (entries) => {
        // Where the page scrolls instead of the list, the map comes after it: only a press shows more.
        const isScroller = root.scrollHeight > root.clientHeight;
        if (isScroller && entries.some(({ isIntersecting }) => isIntersecting)) onMore();
      },
      { root, rootMargin: '300px' },
    );
    watch.observe(more);
    return () => watch.disconnect();
  });
  return (
    <button
      type="button"
      id="more"
      ref={button}
      onClick={() => {
        const last = document.querySelector('#list li:last-child');
        onMore();
        setTimeout(() => last?.nextElementSibling?.querySelector('button')?.focus());
      }}
    >
      Show more
    </button>
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
