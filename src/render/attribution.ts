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

/** The path of a URL, its query and its fragment with the `#`. */
const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Attribution {
  private readonly parameters: readonly (readonly [name: string, value: string])[];
  private readonly query: string;
  private readonly asQuery: Uint8Array;
  private readonly afterQuery: Uint8Array;

  constructor(utm: Utm) {
    this.parameters = UTM_PARAMETERS.flatMap((name) => {
      const value = utm[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.query = this.parameters
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    // Percent-encoded text needs no escapes in JSON, so it can be spliced into a string.
    this.asQuery = encoder.encode(`?${this.query}`);
    this.afterQuery = encoder.encode(`&${this.query}`);
  }

  /**
   * Appends the JSON string that lies in `bytes` from the quote at `start` up to `end`, with the
   * parameters added. Most URLs need no more than a splice of bytes: only a query with a "u" or a
   * percent sign can hold a parameter of the same name.
   */
  addTo(segments: SegmentList, bytes: Uint8Array, start: number, end: number): void {
    let place = start;
    let query = -1;
    for (; place < end - 1 && bytes[place] !== FRAGMENT; place++) {
      const byte = bytes[place];
      if (byte === QUESTION_MARK && query < 0) query = place;
      else if (query >= 0 && (byte === PERCENT || byte === LETTER_U)) {
        const url: string = JSON.parse(decoder.decode(bytes.subarray(start, end)));
        segments.addBytes(encoder.encode(JSON.stringify(this.rewrite(url))));
        return;
      }
    }
    const isOpen = place === query + 1 || bytes[place - 1] === AMPERSAND;
    const addition = query < 0 ? this.asQuery : this.afterQuery;
    segments.add(bytes, start, place);
    segments.add(addition, query >= 0 && isOpen ? 1 : 0, addition.length);
    segments.add(bytes, place, end);
  }

  /** `url` with the parameters, where it may have a query, a fragment, and some of the same name. */
  private rewrite(url: string): string {
    const [, path = '', query = '', fragment = ''] = PARTS.exec(url) ?? [];
    const names: readonly string[] = this.parameters.map(([name]) => name);
    // A question mark at the beginning of its text would be taken for no part of the name.
    const nameOf = (pair: string) => new URLSearchParams(`&${pair}`).keys().next().value ?? '';
    const kept = query.split('&').filter((pair) => !names.includes(nameOf(pair)));
    const before = kept.join('&');
    const separator = before === '' || before.endsWith('&') ? '' : '&';
    return `${path}?${before}${separator}${this.query}${fragment}`;
  }
}
