/**
 * Appends a partner's UTM parameters to page URLs: before a fragment, keeping what the query had,
 * in place of parameters of the same name.
 */
import { UTM_PARAMETERS, type Utm } from '../model/utm.ts';
import type { SegmentList } from './segment-list.ts';

const FRAGMENT = '#'.charCodeAt(0);
const QUESTION_MARK = '?'.charCodeAt(0);

/** The path of a URL, its query and its fragment with the `#`. */
const PARTS = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

export class Attribution {
  private readonly parameters: readonly (readonly [name: string, value: string])[];
  private readonly query: string;
  /** As the query of a URL that has none, with the quote that ends the URL. */
  private readonly asQuery: Uint8Array;

  constructor(utm: Utm) {
    this.parameters = UTM_PARAMETERS.flatMap((name) => {
      const value = utm[name];
      return value === undefined ? [] : [[name, value] as const];
    });
    this.query = this.parameters
      .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
      .join('&');
    // Percent-encoded text needs no escapes in JSON, so it can be spliced into a string.
    this.asQuery = encoder.encode(`?${this.query}"`);
  }

  /**
   * Appends the JSON string that lies in `bytes` from the quote at `start` up to `end`, with the
   * parameters added. Most URLs have neither a query nor a fragment, and need no more than a splice.
   */
  addTo(segments: SegmentList, bytes: Uint8Array, start: number, end: number): void {
    for (let at = start; at < end; at++) {
      if (bytes[at] !== QUESTION_MARK && bytes[at] !== FRAGMENT) continue;
      const url: string = JSON.parse(decoder.decode(bytes.subarray(start, end)));
      segments.addBytes(encoder.encode(JSON.stringify(this.rewrite(url))));
      return;
    }
    segments.add(bytes, start, end - 1);
    segments.addBytes(this.asQuery);
  }

  /** `url` with the parameters, where it may have a query, a fragment, and some of the same name. */
  private rewrite(url: string): string {
    const [, path = '', query = '', fragment = ''] = PARTS.exec(url) ?? [];
    const names: readonly string[] = this.parameters.map(([name]) => name);
    const nameOf = (pair: string) => new URLSearchParams(pair).keys().next().value ?? '';
    const kept = query.split('&').filter((pair) => pair !== '' && !names.includes(nameOf(pair)));
    return `${path}?${[...kept, this.query].join('&')}${fragment}`;
  }
}
