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

/** What comes before the query of a URL, and its query. */
const QUERY = /^([^?#]*\?)([^#]*)/;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Appends a URL with parameters added: a JSON string in `bytes`, from its quote at `start` up to
 * `end`.
 */
export type AddUrl = (segments: SegmentList, bytes: Uint8Array, start: number, end: number) => void;

/**
 * Builds the function that adds the parameters of `utm`. Most URLs need no more than a splice of
 * bytes: only a query with a "u" or a percent sign can hold a parameter of the same name.
 */
export function attributionOf(utm: Utm): AddUrl {
  const parameters = UTM_PARAMETERS.flatMap((name) => {
    const value = utm[name];
    return value === undefined ? [] : [[name, encodeURIComponent(value)] as const];
  });
  const names: readonly string[] = parameters.map(([name]) => name);
  const added = parameters.map((parameter) => parameter.join('=')).join('&');
  // Percent-encoded text needs no escapes in JSON, so it can be spliced into a string.
  const asQuery = encoder.encode(`?${added}`);
  const afterQuery = encoder.encode(`&${added}`);

  /**
   * Appends a URL with the parameters added.
   * @param isClean whether the URL is known to hold no parameter of the same name
   */
  function addUrl(
    segments: SegmentList,
    bytes: Uint8Array,
    start: number,
    end: number,
    isClean: boolean,
  ): void {
    let index = start;
    let query = -1;
    for (; index < end - 1 && bytes[index] !== FRAGMENT; index++) {
      const byte = bytes[index];
      if (byte === QUESTION_MARK && query < 0) query = index;
      else if (!isClean && query >= 0 && (byte === PERCENT || byte === LETTER_U)) {
        const url = JSON.parse(decoder.decode(bytes.subarray(start, end)));
        const text = encoder.encode(JSON.stringify(without(names, url)));
        addUrl(segments, text, 0, text.length, true);
        return;
      }
    }
    const isOpen = index === query + 1 || bytes[index - 1] === AMPERSAND;
    const addition = query < 0 ? asQuery : afterQuery;
    segments.add(bytes, start, index);
    segments.add(addition, query >= 0 && isOpen ? 1 : 0, addition.length);
    segments.add(bytes, index, end);
  }

  return (segments, bytes, start, end) => addUrl(segments, bytes, start, end, false);
}

/** Returns `url` without parameters of these names. */
function without(names: readonly string[], url: string): string {
  return url.replace(QUERY, (_, before: string, query: string) => {
    // Without the `&`, a question mark at the beginning would not count as part of the name.
    const nameOf = (pair: string) => new URLSearchParams(`&${pair}`).keys().next().value ?? '';
    const kept = query.split('&').filter((pair) => !names.includes(nameOf(pair)));
    return before + kept.join('&');
  });
}
