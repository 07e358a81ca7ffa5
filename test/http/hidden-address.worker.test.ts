/** A store that hides its address: neither what is published nor any answer holds a trace of it. */
import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { SourceLocation, SourceStore } from '../../scripts/compile/source-store.ts';
import { LANGUAGES } from '../../src/model/enumerations.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { OBJECT_PREFIX } from '../../src/snapshot/keys.ts';
import { STORE_PATHS } from '../support/oracle/contract.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { issueToken, openStage, publishStores, type Stage } from '../support/worker/harness.ts';

const LIST = '/v2/external/stores';
const MARK = 'kept-to-ourselves';
const PLACE_MARK = `${MARK}-reviewed-place`;
const MAP_MARK = `https://maps.example/?cid=${MARK}-on-a-map`;
const POINTS = [
  { lat: 47.123456789, lng: 8.987654321 },
  { lat: 47.234567891, lng: 8.876543219 },
  { lat: 47.345678912, lng: 8.765432198 },
] as const;

let stage: Stage;
let token: string;

beforeEach(async () => {
  stage = openStage();
  token = await issueToken();
});

afterEach(() => reset());

/** A location of which every text bears the mark. */
function markedLocation(index: 0 | 1 | 2): SourceLocation {
  const text = (part: string) => `${MARK}-${index}-${part}`;
  const components = {
    streetNumber: text('number'),
    street: text('street'),
    postalCode: text('postcode'),
    city: text('city'),
    administrativeAreaLevel1: text('state'),
    administrativeAreaLevel2: text('county'),
    country: text('country'),
  };
  return {
    id: text('id'),
    name: index === 0 ? text('name') : { fr: text('nom'), en: text('name') },
    slug: text('slug'),
    address: text('address'),
    placeId: text('place'),
    components,
    canonicalComponents: components,
    point: POINTS[index],
  };
}

function markedStore(displayAddress: boolean): SourceStore {
  const rentalPoints = [markedLocation(1), markedLocation(2)];
  const geo = { displayAddress, main: markedLocation(0), rentalPoints };
  return buildStore(1, { geo, reviews: reviewsOf(PLACE_MARK, MAP_MARK) });
}

/** Reviews that are equal but for the two values that lead to the place. */
function reviewsOf(placeId: string, mapsUrl: string): SourceStore['reviews'] {
  const updatedAt = '2024-05-06T07:08:09Z';
  return { external: { rating: 4.5, total: 12, placeId, reviews: [], mapsUrl, updatedAt } };
}

/** Bytes as text, one character a byte, so that any bytes can be searched. */
function byteText(bytes: ArrayBuffer): string {
  return new TextDecoder('latin1').decode(bytes);
}

/** The ways the coordinates could be written down: text, and floats of either size and order. */
function coordinateTraces(): string[] {
  return POINTS.flatMap(({ lat, lng }) => [lat, lng]).flatMap((degrees) => {
    const floats = [true, false].flatMap((littleEndian) => {
      const double = new DataView(new ArrayBuffer(8));
      double.setFloat64(0, degrees, littleEndian);
      const single = new DataView(new ArrayBuffer(4));
      single.setFloat32(0, degrees, littleEndian);
      return [byteText(double.buffer), byteText(single.buffer)];
    });
    return [degrees.toFixed(4).slice(0, -1), ...floats];
  });
}

function tracesIn(text: string): string[] {
  return [MARK, PLACE_MARK, MAP_MARK, ...coordinateTraces()].filter((trace) =>
    text.includes(trace),
  );
}

/** Every key and value of the published snapshot. */
async function publishedText(): Promise<string> {
  const { keys, list_complete } = await env.SNAPSHOTS.list<unknown>();
  expect(list_complete).toBe(true);
  const values = keys.map(async (key) => {
    const value = await env.SNAPSHOTS.get(key.name, 'arrayBuffer');
    const bytes = value ?? new ArrayBuffer(0);
    // Objects lie in KV as base64.
    const isObject = key.name.startsWith(OBJECT_PREFIX);
    const plain = isObject ? Uint8Array.fromBase64(byteText(bytes)).buffer : bytes;
    return JSON.stringify(key) + byteText(plain);
  });
  return (await Promise.all(values)).join('\n');
}

/** All sorts, fields and languages, the store itself, and searches all around its locations. */
function everyPath(): string[] {
  const sorts = Object.keys(SORT_FIELDS).filter((field) => field !== 'distance');
  const around = POINTS.flatMap(({ lat, lng }) =>
    [0, 0.001, 50].map(
      (radius) => `position.latitude=${lat}&position.longitude=${lng}&position.radius=${radius}`,
    ),
  );
  const queries = [
    ...sorts.flatMap((field) => [`sort=${field}__asc`, `sort=${field}__desc`]),
    ...STORE_PATHS.map((path) => `fields=${path}`),
    ...LANGUAGES.map((lang) => `lang=${lang}`),
    ...around,
    ...around.map((position) => `${position}&sort=distance__desc&fields=distance,geo`),
  ];
  const one = ['store-1', buildStore(1).id].map((name) => `${LIST}/${name}`);
  const points = ['slug', 'id'].flatMap((part) =>
    [0, 1, 2].map((index) => `${one[0]}?rentalPointSlug=${MARK}-${index}-${part}`),
  );
  return [
    ...queries.map((query) => `${LIST}?${query}`),
    ...one,
    ...STORE_PATHS.map((path) => `${one[0]}?fields=${path}`),
    ...LANGUAGES.map((lang) => `${one[0]}?lang=${lang}`),
    ...points,
  ];
}

/** Headers and body of every answer; what the request itself said is taken out of problems. */
async function answeredText(): Promise<string> {
  const texts: string[] = [];
  for (const path of everyPath()) {
    const response = await stage.request(path, { token });
    const headers = JSON.stringify([...response.headers]);
    if (response.status === 404) {
      const { code } = (await response.json()) as { code: string };
      expect(code, path).toBe('rental_point_unknown');
    } else {
      expect(response.status, path).toBe(200);
      texts.push(headers, await response.text());
    }
  }
  return texts.join('\n');
}

describe('a hidden address', () => {
  it('is nowhere in the published snapshot', async () => {
    await publishStores([markedStore(false), buildStore(2)]);
    expect(tracesIn(await publishedText())).toEqual([]);
  });

  it('is in no answer', async () => {
    await publishStores([markedStore(false), buildStore(2)]);
    expect(tracesIn(await answeredText())).toEqual([]);
  });

  it('makes no difference to what is published', async () => {
    const hidden = markedStore(false);
    const elsewhere = buildStore(1, { reviews: reviewsOf('place', 'https://maps.example/') });
    const other = { ...elsewhere, geo: { ...elsewhere.geo, displayAddress: false } };
    const first = await publishStores([hidden, buildStore(2)]);
    const second = await publishStores([other, buildStore(2)]);
    expect(second.release).toBe(first.release);
  });

  it('would have been found by these tests if it were shown', async () => {
    await publishStores([markedStore(true), buildStore(2)]);
    const published = tracesIn(await publishedText());
    expect(published).toEqual(expect.arrayContaining([MARK, PLACE_MARK, MAP_MARK]));
    for (const { lat, lng } of POINTS) {
      for (const degrees of [lat, lng]) {
        const double = byteText(new Float64Array([degrees]).buffer);
        expect(published).toContain(double);
        expect(published).toContain(degrees.toFixed(4).slice(0, -1));
      }
    }
    const shown = await stage.request(`${LIST}/store-1`, { token });
    expect(tracesIn(await shown.text())).toEqual(
      expect.arrayContaining([MARK, PLACE_MARK, MAP_MARK]),
    );
  });
});
