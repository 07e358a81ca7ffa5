/**
 * Appends a partner's UTM parameters to page URLs: before a fragment, keeping what the query had,
 * in place of parameters of the same name.
 */
import { UTM_PARAMETERS, type Utm } from '../auth/token-record.ts';
import type { AnswerBuffer } from './answer-buffer.ts';

const FRAGMENT = '#'.charCodeAt(0);
const QUESTION_MARK = '?'.charCodeAt(0);

/** What comes before the query of a URL, and its query. */
const QUERY = /^([^?#]*\?)([^#]*)/;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Appends a URL with parameters added: a JSON string in `bytes`, from its quote at `start` up to
 * `end`.
 */
export type AddUrl = (buffer: AnswerBuffer, bytes: Uint8Array, start: number, end: number) => void;

/**
 * Builds the function that adds the parameters of `utm`. Most URLs have no query, and need no more
 * than a splice of bytes.
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
  return (buffer, bytes, start, end) => {
    let index = start;
    for (; index < end - 1 && bytes[index] !== FRAGMENT; index++) {
      if (bytes[index] !== QUESTION_MARK) continue;
      const url = JSON.parse(decoder.decode(bytes.subarray(start, end)));
      buffer.addBytes(encoder.encode(JSON.stringify(withQuery(url, names, added))));
      return;
    }
    buffer.add(bytes, start, index);
    buffer.addBytes(asQuery);
    buffer.add(bytes, index, end);
  };
}

/** Returns `url`, which has a query, without parameters of these names, and with what is added. */
function withQuery(url: string, names: readonly string[], added: string): string {
  return url.replace(QUERY, (_, before: string, query: string) => {
    // Without the `&`, a question mark at the beginning would not count as part of the name.
    const nameOf = (pair: string) => new URLSearchParams(`&${pair}`).keys().next().value ?? '';
    const pairs = query.split('&').filter((pair) => !names.includes(nameOf(pair)));
    const kept = pairs.join('&');
    return before + kept + (kept === '' || kept.endsWith('&') ? '' : '&') + added;
  });
}
