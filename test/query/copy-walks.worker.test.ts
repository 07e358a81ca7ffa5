/**
 * Walks by `after` while releases change, at two places that see them at different times: every store
 * that matches throughout comes exactly once.
 */
import { beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest';
import { Random } from '../../fixtures/generator/random.ts';
import type { SourceStore } from '../../scripts/compile/source-store.ts';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import type { PublishedManifest } from '../../src/snapshot/manifest.ts';
import { answerList } from '../support/oracle/answer.ts';
import type { ListParams } from '../support/oracle/parameters.ts';
import { editStores, recase } from '../support/stores/random-edits.ts';
import { buildStore } from '../support/stores/store-builder.ts';
import { Place, type Turn, World } from '../support/worker/places.ts';

const SEED = 20261122;
const WALKS = inject('copyWalks');
const STORES = 540;
/** Releases that there are to turn to; walks draw from them again and again. */
const RELEASES = 12;
const LEAST_TURNS = 5;
/** Milliseconds after which a place looks at what is live again. */
const LOOK = 1_500;

/** A release that can be turned to, with the stores it was compiled from. */
interface Release {
  readonly manifest: PublishedManifest;
  readonly stores: readonly SourceStore[];
}

let world: World;
const releases: Release[] = [];

/** Store `number` with an id that may have letters of either case, and verticales of its own. */
function storeOf(number: number): SourceStore {
  const random = new Random(SEED, number);
  const store = buildStore(number);
  const digits = Array.from({ length: 3 }, () => random.bits().toString(16).padStart(8, '0'));
  const id = digits.join('');
  return {
    ...store,
    id: random.chance(0.2) ? id.toUpperCase() : id,
    profile: { ...store.profile, verticales: random.sample(VERTICALES, random.integer(0, 4)) },
  };
}

beforeAll(async () => {
  world = await World.create();
  let stores = Array.from({ length: STORES }, (_, number) => storeOf(number));
  for (let release = 0; release < RELEASES; release++) {
    const random = new Random(SEED + 1, release);
    const added = Array.from({ length: 18 }, (_, number) =>
      storeOf(STORES + 18 * release + number),
    );
    stores = editStores(
      stores,
      { edited: 120, removed: 17, added, passedOn: 3, recased: 40 },
      random,
    );
    releases.push({ manifest: await world.compile(stores), stores });
  }
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] });
});

/** What a walk asks for, as parameters and as the query of its first page. */
interface Wish {
  readonly params: ListParams;
  readonly query: string;
}

function drawWish(random: Random, isFiltered: boolean): Wish {
  // Filters leave a few dozen stores: even so there have to be pages for all turns.
  const limit = random.integer(1, isFiltered ? 4 : 7);
  const lang = random.pick([undefined, ...LANGUAGES]);
  const fields = random.pick([['id'], ['slug', 'id'], ['id', 'profile.verticales']]);
  const base = `limit=${limit}&fields=${fields}${lang ? `&lang=${lang}` : ''}`;
  if (!isFiltered) return { params: {}, query: base };
  const wanted = random.sample(VERTICALES, random.integer(2, 6));
  return random.pick<Wish>([
    { params: { verticaleIn: wanted }, query: `${base}&verticale.in=${wanted}` },
    {
      params: { verticaleNotIn: wanted.slice(0, 2) },
      query: `verticale.notIn[]=${wanted[0]}&${base}&verticale.notIn[]=${wanted[1]}`,
    },
  ]);
}

const known = new Map<string, Set<string>>();

/** Ids of the stores of a release that match, in lower case; remembered. */
function matching({ manifest, stores }: Release, params: ListParams): Set<string> {
  const key = `${manifest.release} ${JSON.stringify(params)}`;
  let ids = known.get(key);
  if (!ids) {
    const { docs } = answerList(stores, { ...params, limit: Infinity, fields: ['id'] });
    ids = new Set((docs as { id: string }[]).map(({ id }) => id.toLowerCase()));
    known.set(key, ids);
  }
  return ids;
}

/** Two places, and a log that goes on while one walks. */
class Stage {
  readonly places = [new Place(world), new Place(world)] as const;
  private readonly random: Random;
  /** Releases that are or were live, by name. */
  private readonly live = new Map<string, Release>();
  private lastTurns: Turn[] = [];

  constructor(random: Random) {
    this.random = random;
  }

  async open(): Promise<void> {
    for (const place of this.places) {
      this.turn();
      place.see(this.lastTurns.at(-1) as Turn);
    }
  }

  /** Something goes live: sometimes what was live before. */
  private turn(): void {
    const release = this.random.pick(releases);
    const turn = world.turnTo(release.manifest);
    this.live.set(turn.name, release);
    this.lastTurns.push(turn);
  }

  /** Something goes live, and one of the places sees it, or what went live before it. */
  async moveOn(): Promise<void> {
    this.turn();
    const place = this.random.pick(this.places);
    const seen = this.lastTurns.at(-this.random.integer(1, 2)) as Turn;
    place.see(seen);
    vi.advanceTimersByTime(LOOK);
    for (const each of this.places) {
      await each.request('/v2/external/stores?limit=0');
      await each.settle();
    }
  }

  releaseOf(name: string | null): Release {
    const release = this.live.get(name ?? '');
    if (!release) throw new Error(`nothing went live as ${name}`);
    return release;
  }
}

/** Walks, and holds what came against the releases that the pages were of. */
async function walk(number: number): Promise<void> {
  const random = new Random(SEED + 2, number);
  const stage = new Stage(random);
  await stage.open();
  const { params, query } = drawWish(random, number % 2 === 1);
  const seen: string[] = [];
  const answered = new Set<Release>();
  const names = new Set<string>();
  let turns = 0;
  let pages = 0;
  let path: string | null = `/v2/external/stores?${query}`;
  while (path !== null) {
    if (random.chance(0.1) || (turns < LEAST_TURNS && pages % 2 === 1)) {
      await stage.moveOn();
      turns++;
    }
    const response: Response = await random.pick(stage.places).request(path);
    expect(response.status, path).toBe(200);
    const name = response.headers.get('x-snapshot-release');
    const release = stage.releaseOf(name);
    const body = (await response.json()) as { total: number; docs: { id: string }[] };
    expect(body.total).toBe(matching(release, params).size);
    names.add(name ?? '');
    answered.add(release);
    seen.push(...body.docs.map(({ id }) => id.toLowerCase()));
    const link: string | null = response.headers.get('link');
    path = link && (/^<(.+)>; rel="next"$/.exec(link)?.[1] ?? null);
    // An id means the same in any case.
    if (random.chance(0.5)) path = path?.replace(/(?<=after=)\w+/, recase) ?? null;
    pages++;
  }
  expect(seen, `walk ${number}`).toEqual([...new Set(seen)].sort());
  const found = new Set(seen);
  const all = [...answered].map((release) => matching(release, params));
  const throughout = [...(all[0] ?? [])].filter((id) => all.every((ids) => ids.has(id)));
  expect(
    throughout.filter((id) => !found.has(id)),
    `walk ${number}`,
  ).toEqual([]);
  // Nothing comes that matched nowhere.
  expect(seen.filter((id) => !all.some((ids) => ids.has(id)))).toEqual([]);
  expect(turns).toBeGreaterThanOrEqual(LEAST_TURNS);
  expect(names.size).toBeGreaterThan(1);
}

describe('walks while releases change', () => {
  it(`meet every store that matches throughout exactly once: ${WALKS} walks`, {
    timeout: 180_000 + 2_000 * WALKS,
  }, async () => {
    for (const { stores } of releases) expect(stores.length).toBeGreaterThanOrEqual(500);
    for (let number = 0; number < WALKS; number++) await walk(number);
  });
});
