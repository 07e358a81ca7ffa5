import type { FoundStore } from '../model/found.ts';
import { describeDistance } from '../model/words.ts';
import { OpeningWords } from './OpeningHours.tsx';
import { Rating } from './Rating.tsx';

/** Says whether a store is open, how far away it is, and how it is rated. */
export const InShort = (store: FoundStore) => (
  <p class="facts">
    <OpeningWords of={store} />
    {store.distance !== null && <span>{describeDistance(store.distance)}</span>}
    {store.rating && <Rating {...store.rating} />}
  </p>
);
