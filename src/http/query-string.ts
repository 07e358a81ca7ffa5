/** Splits and decodes the query of a URL, telling what cannot be decoded from what is empty. */

export interface QueryPair {
  /** Decoded; as it was sent when it cannot be decoded. */
  readonly name: string;
  /** Decoded; empty without a `=`; null when it cannot be decoded. */
  readonly value: string | null;
}

/** The pairs of `query` (the text after `?`) in the order they were sent. */
export function parseQueryString(query: string): QueryPair[] {
  const pairs: QueryPair[] = [];
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    const value = equals < 0 ? '' : pair.slice(equals + 1);
    pairs.push({ name: decode(name) ?? name, value: decode(value) });
  }
  return pairs;
}

function decode(text: string): string | null {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
