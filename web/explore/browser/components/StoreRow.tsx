import { hovered } from '../model/current.ts';
import type { FoundStore } from '../model/found-store.ts';
import { iconOf } from '../model/icon-paths.ts';
import type { Opening } from '../model/opening-words.ts';
import { count, describeDistance, describeVerticales } from '../model/words.ts';
import { openingNow } from '../service/inquiry.ts';
import { Icon } from './Icon.tsx';

interface RowProps {
  readonly store: FoundStore;
  /** Whether the Tab key comes to it. */
  readonly isStop: boolean;
  readonly isChosen: boolean;
  readonly isHovered: boolean;
  readonly onFocus: () => void;
  readonly onChoose: () => void;
}

/** A store in the list. */
export function StoreRow({ store, isStop, isChosen, isHovered, onFocus, onChoose }: RowProps) {
  const { id, name, verticales, city, distance, rating } = store;
  const opening = openingNow(id);
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
        class={isHovered ? 'hovered' : undefined}
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
        <Rating rating={rating} />
        <span class="where">
          <bdi>{city ?? 'Address not shown'}</bdi>
          <span class="opening">{opening && <OpeningWords opening={opening} />}</span>
        </span>
      </button>
    </li>
  );
}

/** Whether a store is open, and until when. */
export function OpeningWords({ opening: { isOpen, next } }: { readonly opening: Opening }) {
  return (
    <>
      <span class={isOpen ? 'open' : 'closed'}>{isOpen ? 'Open' : 'Closed'}</span>
      {next === '' ? '' : `${isOpen ? ' ' : ', '}${next}`}
    </>
  );
}

export const Rating = ({ rating }: { readonly rating: FoundStore['rating'] }) =>
  rating === null ? null : (
    <span class="rating">
      <Icon name="star" />
      {rating.rating.toFixed(1)}
      <span class="unseen"> of 5 stars</span>
      <span class="note">
        ({count(rating.votes)}
        <span class="unseen"> reviews</span>)
      </span>
    </span>
  );
