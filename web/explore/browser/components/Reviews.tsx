import type { Store } from '../../../../src/model/store.ts';
import { count } from '../model/words.ts';
import { Away } from './Away.tsx';
import { Rating } from './Rating.tsx';

/** Shows the single reviews that the service has of a store, folded. */
export function Reviews({ of }: { readonly of: NonNullable<Store['reviews']['external']> }) {
  const { reviews, total, mapsUrl } = of;
  if (total === 0) return null;
  return (
    <>
      <h3>Reviews</h3>
      {reviews.length > 0 && (
        <details>
          <summary>
            {reviews.length} of {count(total)}
          </summary>
          {reviews.map(({ author, comment, rating, publishTime }) => (
            <blockquote key={author.name + publishTime}>
              <p class="facts">
                <Rating rating={rating} />
                <span dir="auto">{author.name}</span>
                <span class="note">
                  {new Date(publishTime).toLocaleDateString('en-GB', { dateStyle: 'medium' })}
                </span>
              </p>
              <p dir="auto">{comment}</p>
            </blockquote>
          ))}
        </details>
      )}
      <Away to={mapsUrl}>All reviews</Away>
    </>
  );
}
