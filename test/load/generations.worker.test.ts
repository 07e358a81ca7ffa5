/** The same stores in another generation, after a purge or a publication afresh: partners notice nothing. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { generationPrefix } from '../../src/snapshot/keys.ts';
import { GENERATION } from '../support/stores/memory-snapshot.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { Place, type Turn, World } from '../support/worker/places.ts';

const STORES = [1, 2, 3, 4, 5].map((number) => buildStore(number));
const LATER = GENERATION.replace('2026', '2027');
const LIST = '/v2/external/stores?limit=100';

let world: World;
let place: Place;
let first: Turn;
let second: Turn;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.spyOn(console, 'log').mockImplementation(() => {});
  vi.spyOn(console, 'error').mockImplementation(() => {});
  world = await World.create();
  place = new Place(world);
  first = world.turnTo(await world.compile(STORES));
  second = world.turnTo(await world.compile(STORES, LATER));
});

afterEach(() => vi.useRealTimers());

function lose(generation: string): void {
  for (const key of [...world.values.keys()]) {
    if (key.startsWith(generationPrefix(generation))) world.values.delete(key);
  }
}

/** Asks for all stores, and returns the release that answered and how many there were. */
async function ask(): Promise<string> {
  const response = await place.request(LIST);
  const release = response.headers.get('x-snapshot-release');
  const body = (await response.json()) as { docs?: unknown[] };
  return `${response.status} ${release} ${body.docs?.length}`;
}

/** Lets the isolate look at the pointer, behind an answer. */
async function lookAgain(): Promise<void> {
  vi.setSystemTime(Date.now() + 1_500);
  await ask();
  await place.request('/healthz');
}

it('an isolate that held the old one goes over to the new one', async () => {
  place.see(first);
  expect(await ask()).toBe(`200 ${first.name} 5`);
  place.see(second);
  await lookAgain();
  lose(GENERATION);
  expect(await ask()).toBe(`200 ${second.name} 5`);
});

it('a fresh isolate falls back on the old one, which the pointer names', async () => {
  lose(LATER);
  place.see(second);
  expect(await ask()).toBe(`200 ${first.name} 5`);
});
