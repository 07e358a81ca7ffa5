/**
 * Takes the text of a query apart into the texts of its parameters.
 *
 * Hono's own reading, which its validators begin with, is not used. It hides three things that
 * callers have to be told: a value that is not percent-encoded UTF-8 arrives as plain text, a pair
 * without a name not at all, and `x[]` is another parameter than `x`. And it costs an exception for
 * every malformed piece: 16 kB of `%&%&…` took it 30 ms.
 */

/** A value or item, decoded; empty without a `=`; null when it cannot be decoded. */
export type SentText = string | null;

/** What was sent, by the names of parameters; of those that take an array each item once. */
export type SentTexts = ReadonlyMap<string, readonly SentText[]>;

/** What of a parameter decides how its texts are taken apart. */
interface Declared {
  readonly name: string;
  readonly array: boolean;
}

/**
 * The texts of a query, those of `x[]` among those of `x`, and the names that no parameter has.
 * @param query the text after `?`, as it was sent
 * @param declared the parameters of the operation by every name they may have in a query
 */
export function readQuery(query: string, declared: ReadonlyMap<string, Declared>) {
  const values = new Map<Declared, SentText[]>();
  const unknown = new Set<string>();
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const equals = pair.indexOf('=');
    const written = equals < 0 ? pair : pair.slice(0, equals);
    const name = decode(written) ?? written;
    const parameter = declared.get(name);
    if (parameter === undefined) {
      unknown.add(name);
      continue;
    }
    const value = equals < 0 ? '' : decode(pair.slice(equals + 1));
    const others = values.get(parameter);
    if (others) others.push(value);
    else values.set(parameter, [value]);
  }
  const texts = new Map<string, readonly SentText[]>();
  for (const [{ name, array }, sent] of values) texts.set(name, array ? itemsOf(sent) : sent);
  return { texts, unknown };
}

/** The items of an array, each once, without blanks around them. A text that cannot be decoded is one. */
function itemsOf(values: readonly SentText[]): SentText[] {
  const items = new Set<SentText>();
  for (const value of values) {
    if (value === null) items.add(null);
    else for (const item of value.split(',')) items.add(item.trim());
  }
  return [...items];
}

/** The escapes of one character in UTF-8: not those of longer forms, surrogates or beyond U+10FFFF. */
const CHARACTER =
  /%(?:[0-7][\dA-F]|(?:C[2-9A-F]|D[\dA-F]|E0%[AB][\dA-F]|ED%[89][\dA-F]|(?:E[1-9A-CEF]|F0%[9AB][\dA-F]|F4%8[\dA-F]|F[1-3]%[89AB][\dA-F])%[89AB][\dA-F])%[89AB][\dA-F])/gi;

function decode(text: string): SentText {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text;
  if (!spaced.includes('%')) return spaced;
  // Looks first, since an exception costs as much as a hundred looks.
  return spaced.replace(CHARACTER, '').includes('%') ? null : decodeURIComponent(spaced);
}
