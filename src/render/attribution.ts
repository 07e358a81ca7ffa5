/**
 * Appends a partner's UTM parameters to page URLs: before a fragment, keeping what the query had,
 * in place of parameters of the same name.
 */
import { UTM_PARAMETERS, type Utm } from '../model/utm.ts';
import type { SegmentList } from './segment-list.ts';

const FRAGMENT = '#'.charCodeAt(0);
const QUESTION_MARK = '?'.charCodeAt(0);
const AMPERSAND = '&'.charCodeAt(0);
const PERCENT = '%'.charCodeAt(0);
const LETTER_U = 'u'.charCodeAt(0);

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Attribution {
  private readonly parameters: readonly (readonly [name: string, value: string])[];
  private readonly afterQuery: Uint8Array;
  private readonly asQuery: Uint8Array;

  constructor(utm: Utm) {
    this.parameters = UTM_PARAMETERS.flatMap((name) => {
      const value = utm[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    // Percent-encoded text needs no escapes in JSON, so it can be spliced into a string.
    this.asQuery = encoder.encode(`?${this.query()}`);
    this.afterQuery = encoder.encode(`&${this.query()}`);
  }

  /**
   * Appends the JSON string that lies in `bytes` from the quote at `start` up to `end`, with the
   * parameters added. Most URLs need no more than a splice of bytes.
   */
  addTo(segments: SegmentList, bytes: Uint8Array, start: number, end: number): void {
    let place = end - 1;
    let query = -1;
    for (let at = start; at < end; at++) {
      const byte = bytes[at];
      if (byte === FRAGMENT) {
        place = at;
        break;
      }
      if (byte === QUESTION_MARK && query < 0) query = at;
      else if (query >= 0 && (byte === PERCENT || byte === LETTER_U)) {
        this.addRewritten(segments, bytes, start, end);
        return;
      }
    }
    const last = bytes[place - 1];
    const open = query >= 0 && (last === QUESTION_MARK || last === AMPERSAND);
    const addition = query < 0 ? this.asQuery : this.afterQuery;
    segments.add(bytes, start, place);
    segments.add(addition, open ? 1 : 0, addition.length);
    segments.add(bytes, place, end);
  }

  /** `url` with the parameters, where its query may hold some of the same name. */
  rewrite(url: string): string {
    const fragmentAt = url.indexOf('#');
    const fragment = fragmentAt < 0 ? '' : url.slice(fragmentAt);
    const rest = fragmentAt < 0 ? url : url.slice(0, fragmentAt);
    const queryAt = rest.indexOf('?');
    const path = queryAt < 0 ? rest : rest.slice(0, queryAt);
    const pairs = queryAt < 0 ? [] : rest.slice(queryAt + 1).split('&');
    const names = new Set(this.parameters.map(([name]) => name as string));
    const kept = pairs.filter((pair) => pair !== '' && !names.has(parameterName(pair)));
    return `${path}?${[...kept, this.query()].join('&')}${fragment}`;
  }

  private addRewritten(segments: SegmentList, bytes: Uint8Array, start: number, end: number): void {
    const url: string = JSON.parse(decoder.decode(bytes.subarray(start, end)));
    segments.addBytes(encoder.encode(JSON.stringify(this.rewrite(url))));
  }

  private query(): string {
    return this.parameters.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  }
}

/** The decoded name of a query pair; as it stands when it cannot be decoded. */
function parameterName(pair: string): string {
  const name = pair.split('=', 1)[0] ?? '';
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    return name;
  }
}
