/**
 * A service in several places that lag behind each other, in simulated time: releases are turned at
 * random, each place sees one up to 90 seconds late, and every request reaches any of the places. It
 * answers lists and `changes` by plain loops over the stores of each release.
 */

import type { Change } from '../../../client/src/index.ts';
import { Random } from '../../../fixtures/generator/random.ts';
import { problem } from './client-stage.ts';

/** A store with next to nothing in it. */
export interface PlainStore {
  readonly id: string;
  readonly slug: string;
  readonly profile: { readonly name: string; readonly verticales: readonly string[] };
}

type PlainStores = ReadonlyMap<string, PlainStore>;

interface Release {
  readonly number: number;
  readonly name: string;
  /** By ids in lower case: the case of their letters may change. */
  readonly stores: PlainStores;
  readonly turnedAt: number;
  /** When each place sees it. */
  readonly seen: readonly number[];
}

/** What a copy of another address has: here no release's number ever is so high. */
export const FOREIGN: { readonly release: string; readonly store: PlainStore } = {
  release: '900-cf0e1d2',
  store: { id: 'foreign', slug: 'foreign', profile: { name: 'F', verticales: [] } },
};

export const VERTICALES = ['BIKE', 'CAR', 'SKI'] as const;

const LAG = 90_000;
/** How long a release is kept after the next one: eight days, in a world of quick turns. */
const KEPT = 4 * 3600_000;
const MAX_TURNED = 120;

export class Places {
  readonly random: Random;
  /** Milliseconds. */
  time = 0;
  readonly counts = {
    turns: 0,
    rollbacks: 0,
    gone: 0,
    early: 0,
    refused: 0,
    broken: 0,
    older: 0,
    newer: 0,
  };
  private readonly releases: Release[] = [];
  private readonly placeCount: number;
  private readonly pageSize: number;
  /** Mean time between two releases. */
  private readonly pace: number;
  private nextTurn = 0;
  private lastAnswered = 0;

  constructor(seed: number) {
    this.random = new Random(seed, 0);
    this.placeCount = this.random.integer(1, 4);
    this.pageSize = this.random.integer(2, 21);
    this.pace = 3_000 + this.random.fraction() ** 2 * 100_000;
    this.turn(this.change(new Map(), this.random.integer(10, 159)));
    // What has been live for long is seen everywhere.
    this.time += 2 * LAG;
  }

  sleep = async (milliseconds: number): Promise<void> => {
    this.pass(milliseconds);
  };

  fetch = async (address: string): Promise<Response> => {
    this.pass(50 + this.random.fraction() * 4_000);
    const luck = this.random.fraction();
    if (luck < 0.02) throw this.count('broken', new TypeError('fetch failed'));
    if (luck < 0.04) return this.count('refused', problem(429, 'rate_limited', {}, '10'));
    const url = new URL(address);
    const place = this.random.integer(0, this.placeCount - 1);
    if (url.pathname === '/v2/external/changes') return this.changes(url, place);
    if (url.pathname === '/v2/external/stores') return this.list(url, place);
    throw new Error(`no such route: ${url.pathname}`);
  };

  /** The stores of a release, as a copy of some of them should have them. */
  storesOf(name: string, verticale: string | null): Map<string, PlainStore> {
    const release = this.releases.find((each) => each.name === name);
    if (!release) throw new Error(`no release was ever called ${name}`);
    return new Map([...release.stores].filter(([, store]) => matches(store, verticale)));
  }

  /** Lets time pass, in which releases are turned. */
  pass(milliseconds: number): void {
    const end = this.time + milliseconds;
    while (this.nextTurn <= end) {
      this.time = Math.max(this.time, this.nextTurn);
      this.turn(this.nextStores());
    }
    this.time = end;
  }

  /** Lets some time pass, now and then a day. */
  rest(): void {
    this.pass(this.random.fraction() * (this.random.chance(0.2) ? 24 * 3600_000 : 200_000));
  }

  private list(url: URL, place: number): Response {
    const { searchParams: query } = url;
    const release = this.answering(place);
    const after = query.get('after') ?? '';
    const ids = query.get('id.in')?.toLowerCase().split(',');
    const matching = [...release.stores]
      .filter(
        ([id, store]) => matches(store, query.get('verticale.in')) && (!ids || ids.includes(id)),
      )
      .sort(([one], [other]) => (one < other ? -1 : 1));
    const rest = matching.filter(([id]) => id > after.toLowerCase()).map(([, store]) => store);
    const size = ids ? 100 : this.pageSize;
    const docs = rest.slice(0, size);
    if (release.number < this.lastAnswered) this.counts.older++;
    if (release.number > this.lastAnswered) this.counts.newer++;
    this.lastAnswered = release.number;
    const headers = { 'x-snapshot-release': release.name, ...next(url, docs, rest.length > size) };
    return Response.json({ total: matching.length, docs }, { headers });
  }

  private changes(url: URL, place: number): Response {
    const { searchParams: query } = url;
    const seen = this.seenBy(place);
    const names = [query.get('since') as string, query.get('until') ?? seen.name];
    for (const name of names) {
      const number = Number.parseInt(name, 10);
      if (number > seen.number) {
        const retryAfter = String(this.random.integer(1, 30));
        return this.count('early', problem(503, 'release_not_here_yet', {}, retryAfter));
      }
      const following = this.releases[number];
      const isKept = !following || following.turnedAt + KEPT > this.time;
      if (!isKept || this.releases[number - 1]?.name !== name)
        return this.count('gone', problem(410, 'release_gone'));
    }
    const [since, until] = names.map((name) => this.releases[Number.parseInt(name, 10) - 1]);
    const all = comparePlain((since as Release).stores, (until as Release).stores);
    const rest = all.filter(({ id }) => id > (query.get('after') ?? ''));
    const docs = rest.slice(0, this.pageSize);
    url.searchParams.set('until', names[1] as string);
    const headers = next(url, docs, rest.length > this.pageSize);
    return Response.json(
      { release: names[1], since: names[0], total: all.length, docs },
      { headers },
    );
  }

  /** Soon after it has seen a release, a place falls back on the one before now and then. */
  private answering(place: number): Release {
    const seen = this.seenBy(place);
    const before = this.releases[seen.number - 2];
    const isFresh = (seen.seen[place] as number) + 2 * LAG > this.time;
    return before && isFresh && this.random.chance(0.05) ? before : seen;
  }

  private seenBy(place: number): Release {
    const isSeen = ({ seen }: Release) => (seen[place] as number) <= this.time;
    return this.releases.findLast(isSeen) as Release;
  }

  private turn(stores: PlainStores): void {
    const number = this.releases.length + 1;
    const seen = Array.from({ length: this.placeCount }, (_, index) => {
      const before = this.releases.at(-1)?.seen[index] ?? 0;
      return Math.max(before, this.time + this.random.fraction() * LAG);
    });
    this.releases.push({
      number,
      name: `${number}-c${this.random.integer(0, 1e9)}`,
      stores,
      turnedAt: this.time,
      seen,
    });
    this.counts.turns++;
    const wait = this.random.fraction() * 2 * this.pace;
    this.nextTurn = number < MAX_TURNED ? this.time + wait : Number.POSITIVE_INFINITY;
  }

  /** A few stores differ, or everything is as it was once. */
  private nextStores(): PlainStores {
    const earlier = this.releases.at(-this.random.integer(1, 4));
    if (earlier && this.random.chance(0.4)) return this.count('rollbacks', earlier.stores);
    const most = this.random.chance(0.1) ? 149 : 7;
    const { stores } = this.releases.at(-1) as Release;
    return this.change(stores, this.random.integer(0, most));
  }

  /** @returns the stores after so many changes, each of one store */
  private change(before: PlainStores, count: number): PlainStores {
    const stores = new Map(before);
    for (let change = 0; change < count; change++) this.changeOne(stores);
    return stores;
  }

  private changeOne(stores: Map<string, PlainStore>): void {
    const key = this.random.integer(0, 199).toString(16).padStart(24, '0');
    if (stores.has(key) && this.random.chance(0.3)) {
      stores.delete(key);
      return;
    }
    const id = this.random.chance(0.2) ? key.toUpperCase() : key;
    const verticales = VERTICALES.filter(() => this.random.chance(0.5));
    // Few names, so that a change is often undone by the next one.
    const name = `Store ${this.random.integer(0, 2)}`;
    stores.set(key, { id, slug: `store-${key}`, profile: { name, verticales } });
  }

  private count<T>(what: keyof Places['counts'], value: T): T {
    this.counts[what]++;
    return value;
  }
}

/** Adds counts to the counts of other runs, by name. */
export function addTo(
  totals: Record<string, number>,
  counts: Readonly<Record<string, number>>,
): void {
  for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count;
}

function matches({ profile }: PlainStore, verticale: string | null): boolean {
  return verticale === null || profile.verticales.includes(verticale);
}

function next(url: URL, docs: readonly { id: string }[], isMore: boolean): Record<string, string> {
  const last = docs.at(-1);
  if (!isMore || !last) return {};
  const target = new URL(url);
  target.searchParams.set('after', last.id);
  return { link: `<${target.pathname}${target.search}>; rel="next"` };
}

/** What differs between two exports, in the order of ids. */
function comparePlain(since: PlainStores, until: PlainStores): Change[] {
  // A store that was not touched is the same object.
  const touched = [...new Set([...since.keys(), ...until.keys()])].filter(
    (id) => since.get(id) !== until.get(id),
  );
  return touched.sort().flatMap((id) => {
    const [before, after] = [since.get(id), until.get(id)];
    if (JSON.stringify(before) === JSON.stringify(after)) return [];
    const change = !after ? 'removed' : !before ? 'added' : 'changed';
    return [{ id, slug: `store-${id}`, change }];
  });
}
