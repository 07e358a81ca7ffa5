import { count } from '../model/words.ts';
import { Icon } from './Icon.tsx';

/** Shows how a store is rated, and by how many. */
export const Rating = ({
  rating,
  votes,
}: Readonly<{
  rating: number;
  /** Absent for a single review. */
  votes?: number;
}>) => (
  <span class="rating">
    <Icon name="star" />
    {rating.toFixed(1)}
    <span class="unseen"> of 5 stars </span>
    {votes && (
      <span class="note">
        ({count(votes)}
        <span class="unseen"> {votes === 1 ? 'review' : 'reviews'}</span>)
      </span>
    )}
  </span>
);
