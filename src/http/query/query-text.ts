/**
 * Reads the text of a query into what the validator is shown.
 *
 * Hono's own reading hides three things that callers have to be told: a value that is not
 * percent-encoded UTF-8 arrives as plain text, a pair without a name not at all, and `x[]` is
 * another parameter than `x`.
 */

/** A value, decoded; empty without a `=`; null when it cannot be decoded. */
export type SentText = string | null;

/** The values of a query by the name of their parameter. */
export type SentQuery = Record<string, SentText[]>;

/**
 * Put before the name of every parameter that the operation does not have. No declared name begins
 * with it, and it keeps `__proto__` and `1` ordinary keys in the order sent.
 */
const UNKNOWN = '?';

/**
 * The values of a query, those of `x[]` among those of `x`.
 * @param query the text after `?`, as it was sent
 * @param declared the parameters of the operation by every name they may have in a query
 */
export function readQuery(
  query: string,
  declared: ReadonlyMap<string, { readonly name: string }>,
): SentQuery {
  const sent: SentQuery = {};
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(written) ?? written;
    const key = declared.get(name)?.name ?? UNKNOWN + name;
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const values = sent[key];
    if (values) values.push(value);
    else sent[key] = [value];
  }
  return sent;
}

/** The name of an unknown parameter, as it was sent. */
export function unknownName(key: string): string {
  return key.slice(UNKNOWN.length);
}

function decode(text: string): SentText {
  if (!text.includes('%') && !text.includes('+')) return text;
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return null;
  }
}
