import { distance } from 'geokdbush';
import type { Store } from '../../../../src/model/store.ts';
import { map } from '../camera.ts';
import { state } from '../model/current.ts';
import type { FoundStore } from '../model/found.ts';
import { describeDistance } from '../model/words.ts';

type Location = NonNullable<Store['geo']['location']>;

/** Lists where else a store rents, the nearest to the place of the search first. */
export function RentalPoints({
  of,
  points,
  lang,
}: Readonly<{ of: FoundStore; points: readonly Location[]; lang: string }>) {
  const { place } = state.value;
  const away = ({ point: { lng, lat } }: Location) =>
    place && distance(place.longitude, place.latitude, lng, lat);
  const show = ({ point, name }: Location) => {
    map.value?.showPin('selected', { ...of, name, point });
    map.value?.goTo(point);
  };
  return (
    <ul class="points">
      {points
        .toSorted((a, b) => (away(a) ?? 0) - (away(b) ?? 0))
        .map((location) => (
          <li key={location.id}>
            <strong dir="auto" lang={lang}>
              {location.name}
            </strong>
            <span dir="auto">{location.address}</span>
            <span>{describeDistance(away(location))}</span>
            {map.value && (
              <button
                type="button"
                class="link"
                aria-label={`Show on the map: ${location.name}`}
                onClick={() => show(location)}
              >
                Show on the map
              </button>
            )}
          </li>
        ))}
    </ul>
  );
}
