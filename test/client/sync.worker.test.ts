/** The client in a Worker, before the real service at three places that see releases late. */
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { MemoryCopy, type Store, StoreDirectory } from '../../client/src/index.ts';
import { Random } from '../../fixtures/generator/random.ts';
import { answerList } from '../support/oracle/answer.ts';
import { editStores } from '../support/stores/random-edits.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { Place, type Turn, World } from '../support/worker/places.ts';
import { type Release, useOwnTime } from '../support/worker/turning-releases.ts';

const SEED = 7;
const STORES = 130;
const RELEASES = 5;
const SYNCS = 15;

let world: World;
let releases: Release[];
const time = useOwnTime();

beforeAll(async () => {
  world = await World.create();
  releases = await compileReleases();
});

beforeEach(() => {
  // What places say of releases that they cannot read yet.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});

/** Stores that differ from release to release, among them some that come back as they were. */
async function compileReleases(): Promise<Release[]> {
  let stores = Array.from({ length: STORES }, (_, number) => buildStore(number));
  const compiled: Release[] = [];
  for (let number = 0; number < RELEASES; number++) {
    const added = [buildStore(STORES + 2 * number), buildStore(STORES + 2 * number + 1)];
    const edits = { edited: number === 3 ? 110 : 12, removed: 3, added, passedOn: 2, recased: 4 };
    stores = editStores(stores, edits, new Random(SEED, number));
    compiled.push({ manifest: await world.compile(stores), stores });
  }
  return compiled;
}

/** Places before which releases turn, now and then while a request is on its way. */
class Network {
  readonly turned = new Map<string, Release>();
  private readonly places = [new Place(world), new Place(world), new Place(world)];
  private readonly random = new Random(SEED + 1, 0);
  private readonly turns: Turn[] = [];

  constructor() {
    this.turn();
    for (const place of this.places) place.see(this.turns[0] as Turn);
  }

  fetch = async (url: string, { headers }: RequestInit): Promise<Response> => {
    if (this.random.chance(0.15)) await this.moveOn();
    const place = this.random.pick(this.places);
    return place.request(
      url.slice('https://stores.test'.length),
      headers as Record<string, string>,
    );
  };

  /** Time passes, and places see what went live meanwhile. */
  sleep = async (): Promise<void> => {
    for (const place of this.places) place.see(this.turns.at(-1) as Turn);
    await this.look();
  };

  /** Something goes live, and one place sees it. */
  async moveOn(): Promise<void> {
    this.turn();
    this.random.pick(this.places).see(this.turns.at(-1) as Turn);
    await this.look();
  }

  private turn(): void {
    const release = this.random.pick(releases);
    const turn = world.turnTo(release.manifest);
    this.turned.set(turn.name, release);
    this.turns.push(turn);
  }

  private async look(): Promise<void> {
    time.passLook();
    for (const place of this.places) {
      await place.request('/v2/external/stores?limit=0');
      await place.settle();
    }
  }
}

/** A directory before places of its own. */
function open(): { network: Network; directory: StoreDirectory } {
  const network = new Network();
  const { fetch, sleep } = network;
  const options = { baseUrl: 'https://stores.test', token: world.token, fetch, sleep };
  return { network, directory: new StoreDirectory(options) };
}

describe('a copy of the real service', () => {
  it.each([
    ['every store', {}, {}],
    ['some', { verticale: { notIn: ['CAR'] } } as const, { verticaleNotIn: ['CAR'] } as const],
  ])('equals the release it names: %s', async (_name, filters, params) => {
    const { network, directory } = open();
    const copy = new MemoryCopy<Store>();
    const names = new Set<string>();
    let walks = 0;
    for (let count = 0; count < SYNCS; count++) {
      const { release, walked } = await directory.sync(copy, { ...filters, lang: 'fr' });
      walks += Number(walked);
      names.add(release);
      const { stores } = network.turned.get(release) as Release;
      const { docs } = answerList(stores, { ...params, lang: 'fr', limit: stores.length });
      const expected = new Map(
        (docs as unknown as Store[]).map((store) => [store.id.toLowerCase(), store]),
      );
      expect(copy.stores.size).toBe(expected.size);
      for (const [id, store] of expected) {
        expect(JSON.stringify(copy.stores.get(id)), `${release} ${id}`).toBe(JSON.stringify(store));
      }
      await network.moveOn();
    }
    expect(names.size).toBeGreaterThan(SYNCS / 4);
    expect(walks).toBe(1);
  });

  it('walks and compares by what types say', async () => {
    const { directory } = open();
    const slugs: string[] = [];
    const releases = new Set<string>();
    for await (const page of directory.pages({ fields: ['slug'], limit: 50 })) {
      releases.add(page.release);
      for (const { slug } of page.docs) slugs.push(slug);
    }
    expect(new Set(slugs).size).toBe(slugs.length);
    expect(slugs.length).toBeGreaterThan(STORES / 2);
    const [since] = releases;
    const changes = await directory.changes(since as string, { until: since });
    expect(changes).toEqual({ since, release: since, docs: [] });
    await expect(directory.changes('1-0000000000000000')).rejects.toMatchObject({ status: 410 });
  });
});
