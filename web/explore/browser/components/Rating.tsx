import { count } from '../model/words.ts';
import { Icon } from './Icon.tsx';

interface RatingProps {
  readonly rating: number;
  /** Absent for a single review. */
  readonly votes?: number;
}

/** Shows how a store is rated, and by how many. */
export const Rating = ({ rating, votes }: RatingProps) => (
  <span class="rating">
    <Icon name="star" />
    {rating.toFixed(1)}
    <span class="unseen"> of 5 stars </span>
    {votes && (
      <span class="note">
        ({count(votes)}
        <span class="unseen"> reviews</span>)
      </span>
    )}
  </span>
);
