/** Answers of a renderer keep their bytes for ever: tags say so, by the number in `RENDERING`. */
import { expect, it } from 'vitest';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { RENDERING } from '../../src/http/answer.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { sha256 } from '../../src/snapshot/hash.ts';
import { issueToken, LIST, openStage, publishStores } from '../support/worker/harness.ts';
import hashes from './frozen/hashes.txt?raw';
import text from './frozen/stores.ndjson?raw';

const STORES: readonly SourceStore[] = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line));

/** Whole fields, parts of objects and of arrays, fields of a location, and fields that a list adds. */
const SELECTIONS = [
  'id,slug,name',
  'distance,rentalPointSlug,pageUrl,lat,address',
  'geo.location.point,geo.locations.slug,addressComponents.city',
  'profile.description,booking.fixedDurations.durations.label,pricing.tax',
  'temporal.schedule.openingHours.day,reviews.external.reviews.author.name,contact,modules.delivery.ranges',
].map((fields) => `fields=${fields}`);

/** The town of the third store. */
const NEAR = 'position.latitude=51.3&position.longitude=16.4&position.radius=50';

const LISTS = [
  ...['', ...LANGUAGES.map((language) => `lang=${language}`), ...SELECTIONS, NEAR],
  ...SELECTIONS.map((selection) => `${NEAR}&lang=en&${selection}`),
  'q=narty&facets=verticales,languages,countries',
  'sort=name__desc&lang=pl&limit=2',
  'bbox=-180,-90,180,90&skip=1&limit=1',
  'limit=0&facets=countries',
];

const GETS = STORES.flatMap(({ slug, geo: { rentalPoints } }) => [
  slug,
  ...['lang=en', 'lang=nl', ...SELECTIONS].map((query) => `${slug}?${query}`),
  ...rentalPoints.slice(0, 2).map((point) => `${slug}?rentalPointSlug=${point.slug}`),
]);

const PATHS = [...LISTS.map((query) => `${LIST}?${query}`), ...GETS.map((get) => `${LIST}/${get}`)];

it('keep their bytes while RENDERING stays the same, and have a line for each of its values', async () => {
  await publishStores(STORES);
  const stage = openStage();
  const tokens = [
    await issueToken(),
    await issueToken({ utm: { utm_source: 'acme', utm_medium: 'api' } }),
  ];
  const answers: string[] = [];
  for (const token of tokens) {
    for (const path of PATHS) {
      const response = await stage.request(path, { token });
      answers.push(`${path} ${response.status} ${await response.text()}`);
    }
  }
  // A hidden address has no rental points: the second store's are unknown.
  expect(answers.filter((answer) => !answer.includes(' 200 {'))).toHaveLength(2);
  const hash = (await sha256(new TextEncoder().encode(answers.join('\n')))).toHex();
  const lines = hashes.trimEnd().split('\n');
  expect(lines.at(-1)).toBe(`${RENDERING} ${hash}`);
  expect(lines.map((line) => line.split(' ')[0])).toEqual(
    Array.from({ length: RENDERING }, (_, index) => `${index + 1}`),
  );
  expect(new Set(lines.map((line) => line.split(' ')[1])).size).toBe(lines.length);
});
