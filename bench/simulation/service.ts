/** This service at the edge, as a request finds it. */
import { Random } from '../../fixtures/generator/random.ts';
import type { Arrival } from './arrivals.ts';
import type { CaseCosts, Costs, DayCase } from './costs.ts';
import { type Isolate, Isolates } from './isolates.ts';
import { Kv, SHORT_LIFE, tokenKey } from './kv.ts';
import type { World } from './world.ts';

const DAY = 86_400;
const MEGABYTE = 1e6;

/** Directories up to this size stay in memory whole: `src/load/snapshot-memory.ts`. */
const WHOLE_BYTES = 40 * MEGABYTE;

const POINTER_KEY = 0;
const FIRST_PART_KEY = 10_000;
const FIRST_CHUNK_KEY = 20_000;
/** Keys are set apart by the publication that wrote them. */
const KEYS_OF_RELEASE = 10_000_000;

/** Every case needs the list of chunks, and parts of its own. */
const CASE_NUMBERS: Readonly<Record<DayCase, number>> = {
  ...{ 'near-city': 1, 'near-wide': 1, get: 2, 'get-slug': 3, list: 4 },
};
const MOST_PARTS = 10;

export class Service {
  cpu = 0;
  readonly kv: Kv;
  private readonly world: World;
  private readonly costs: Costs;
  private readonly isolates: Isolates;
  private readonly random: Random;
  /** The publication that wrote each chunk. */
  private readonly versions: Uint16Array;
  private release = 0;
  private readonly keptChunks: number;

  constructor(world: World, costs: Costs, seed: number) {
    this.world = world;
    this.costs = costs;
    this.kv = new Kv(world, seed);
    this.isolates = new Isolates(world, seed);
    this.random = new Random(seed, 4);
    this.versions = new Uint16Array(costs.chunks);
    const kept = world.keptMegabytes * MEGABYTE;
    const room = costs.releaseBytes <= WHOLE_BYTES ? costs.releaseBytes : kept;
    this.keptChunks = Math.ceil(room / costs.chunkBytes);
  }

  answer(arrival: Arrival): { readonly isFirst: boolean; readonly milliseconds: number } {
    const { at, place, name, partner } = arrival;
    const { kv } = this;
    this.publish(at);
    const { isolate, isFirst } = this.isolates.of(arrival, this.release);
    this.lookAfter(isolate, arrival);
    const costs = this.costs.cases[name];
    // A fresh isolate reads pointer and token at once; an isolate that has its index, the token.
    const pointer = isFirst ? kv.readShort(place, POINTER_KEY, at) : 0;
    const token = isolate.tokens.has(partner) ? 0 : kv.readShort(place, tokenKey(partner), at);
    isolate.tokens.add(partner);
    const parts = this.readParts(isolate, arrival, costs);
    const { missing, milliseconds } = this.readChunks(isolate, arrival, costs);
    const { freshCpu, readingCpu, heldCpu } = costs;
    // What was measured is a request that reads nothing, and one that reads all its chunks.
    const readingShare = missing / costs.chunks;
    const cpu = isFirst ? freshCpu : heldCpu + readingShare * Math.max(0, readingCpu - heldCpu);
    this.cpu += cpu;
    return { isFirst, milliseconds: Math.max(pointer, token) + parts + milliseconds + cpu };
  }

  /** What has gone live by now: a share of the chunks has new keys. */
  private publish(at: number): void {
    const due = Math.floor((at / DAY) * this.world.publications);
    for (; this.release < due; this.release++) {
      for (let chunk = 0; chunk < this.versions.length; chunk++) {
        if (this.random.chance(this.costs.changedShare)) this.versions[chunk] = this.release + 1;
      }
    }
  }

  /** What an isolate reads behind answers: the pointer, tokens, and the parts of a new release. */
  private lookAfter(isolate: Isolate, { at, place, partner }: Arrival): void {
    if (at - isolate.pointerAt < SHORT_LIFE) return;
    isolate.pointerAt = at;
    this.kv.readShort(place, POINTER_KEY, at);
    if (isolate.tokens.has(partner)) this.kv.readShort(place, tokenKey(partner), at);
    if (isolate.release === this.release) return;
    isolate.release = this.release;
    for (const part of isolate.parts) this.kv.readObject(place, this.partKey(part, isolate), at);
  }

  /** Milliseconds of the step that reads the parts that are not there yet. */
  private readParts(isolate: Isolate, { at, place, name }: Arrival, { parts }: CaseCosts): number {
    let longest = 0;
    for (let number = 0; number < parts; number++) {
      // The first is the list of chunks, which all cases need.
      const part = number === 0 ? 0 : CASE_NUMBERS[name] * MOST_PARTS + number;
      if (isolate.parts.has(part)) continue;
      isolate.parts.add(part);
      longest = Math.max(longest, this.kv.readObject(place, this.partKey(part, isolate), at));
    }
    return longest;
  }

  /** Milliseconds of the step that reads the chunks that are not there, and how many those are. */
  private readChunks(isolate: Isolate, arrival: Arrival, { chunks: wanted }: CaseCosts) {
    let [missing, milliseconds] = [0, 0];
    for (let number = 0; number < wanted; number++) {
      const chunk = this.chunkOf(arrival, number, wanted);
      const key = FIRST_CHUNK_KEY + chunk + KEYS_OF_RELEASE * (this.versions[chunk] as number);
      if (!isolate.chunks.delete(key)) {
        missing++;
        const read = this.kv.readObject(arrival.place, key, arrival.at);
        milliseconds = Math.max(milliseconds, read);
      }
      isolate.chunks.add(key);
    }
    for (const key of isolate.chunks) {
      if (isolate.chunks.size <= this.keptChunks) break;
      isolate.chunks.delete(key);
    }
    return { missing, milliseconds };
  }

  /** Pages of a walk follow each other; stores of a town lie anywhere, and are always the same. */
  private chunkOf({ name, subject }: Arrival, number: number, wanted: number): number {
    const { chunks, storeCount } = this.costs;
    if (name === 'list') return (subject * wanted + number) % chunks;
    if (wanted === 1) return Math.floor((subject / storeCount) * chunks);
    return (Math.imul(subject * 128 + number + 1, 0x9e3779b1) >>> 0) % chunks;
  }

  private partKey(part: number, { release }: Isolate): number {
    return FIRST_PART_KEY + part + KEYS_OF_RELEASE * release;
  }
}
