/** A load that touches every store in every language, in no order that a cache could like. */
import { Random } from '../../scripts/fixtures/random.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { TOWNS } from './positions.ts';

const PATH = '/v2/external/stores';
const PAGE = 100;

/** Paths, shuffled: every page in every language, each followed by something else. */
export function mixedLoad(storeCount: number, seed: number): string[] {
  const random = new Random(seed, 3);
  const pages: string[] = [];
  for (const language of LANGUAGES) {
    for (let skip = 0; skip < storeCount; skip += PAGE) {
      pages.push(`${PATH}?lang=${language}&skip=${skip}&limit=${PAGE}`);
    }
  }
  return random
    .sample(pages, pages.length)
    .flatMap((page, index) => [page, between(random, index, storeCount)]);
}

/** Searches in turn with sorted, filtered pages: what keeps orders and searches alive meanwhile. */
function between(random: Random, index: number, storeCount: number): string {
  if (index % 2 === 0) {
    const { latitude, longitude } = random.pick(TOWNS);
    const near = [
      `position.latitude=${random.decimal(latitude - 0.3, latitude + 0.3, 5)}`,
      `position.longitude=${random.decimal(longitude - 0.3, longitude + 0.3, 5)}`,
      `position.radius=${random.integer(0, 50)}`,
    ];
    return `${PATH}?${near.join('&')}&limit=20`;
  }
  const skip = random.integer(0, Math.floor(storeCount / 10));
  const verticale = random.pick(['BIKE', 'SKI', 'CAR', 'SCOOTER']);
  const sort = random.pick(['name', 'externalRating__desc', 'metadata.timestamps.createdAt']);
  const language = random.pick(LANGUAGES);
  return `${PATH}?verticale.in=${verticale}&sort=${sort}&lang=${language}&skip=${skip}&limit=20`;
}
