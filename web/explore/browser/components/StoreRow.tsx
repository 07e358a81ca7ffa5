import { useComputed } from '@preact/signals';
import { hovered } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { iconOf } from '../model/icon-paths.ts';
import { describeDistance, describeVerticales } from '../model/words.ts';
import { openingNow } from '../service/inquiry.ts';
import { Icon } from './Icon.tsx';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

interface RowProps {
  readonly store: FoundStore;
  /** Whether the Tab key comes to it. */
  readonly isStop: boolean;
  readonly isChosen: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

/** Shows a store in the list. */
export function StoreRow({ store, isStop, isChosen, onFocus, onChoose }: RowProps) {
  const { id, name, verticales, city, distance, rating } = store;
  const opening = openingNow(id);
  // Only the rows that the pointer comes to and leaves are drawn anew.
  const isHovered = useComputed(() => hovered.value === id);
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
        onClick={onChoose}
        onPointerEnter={light}
        onPointerLeave={unlight}
        onFocus={() => {
          light();
          onFocus();
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
        <span class="rents">{describeVerticales(verticales, 3)}</span>
        {rating && <Rating {...rating} />}
        <span class="where">
          <bdi>{city ?? 'Address not shown'}</bdi>
          <OpeningWords opening={opening} />
        </span>
      </button>
    </li>
  );
}
