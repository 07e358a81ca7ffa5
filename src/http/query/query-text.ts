/** Takes the text of a query apart. Finds what Hono's reading hides: broken encoding, nameless pairs. */

/** A name or value; null when it cannot be decoded. */
export type SentText = string | null;

/** The escapes of one character in UTF-8: not those of longer forms, surrogates or beyond U+10FFFF. */
const CHARACTER =
  /%(?:[0-7][\dA-F]|(?:C[2-9A-F]|D[\dA-F]|E0%[AB][\dA-F]|ED%[89][\dA-F]|(?:E[1-9A-CEF]|F0%[9AB][\dA-F]|F4%8[\dA-F]|F[1-3]%[89AB][\dA-F])%[89AB][\dA-F])%[89AB][\dA-F])/gi;

/** Whether Hono reads all of the text, as it was meant. */
export function isReadable(query: string): boolean {
  return !isMalformed(query) && !/(?:^|&)=/.test(query);
}

/** The pairs of a query, decoded as far as they can be. A name that cannot stays as it was sent. */
export function pairsOf(query: string): [name: string, value: SentText][] {
  const pairs = query.split('&').filter((pair) => pair !== '');
  return pairs.map((pair) => {
    const equals = pair.indexOf('=');
    const name = equals < 0 ? pair : pair.slice(0, equals);
    return [decode(name) ?? name, equals < 0 ? '' : decode(pair.slice(equals + 1))];
  });
}

function decode(text: string): SentText {
  const spaced = text.replaceAll('+', ' ');
  // Looks first, since an exception costs as much as a hundred looks.
  return isMalformed(spaced) ? null : decodeURIComponent(spaced);
}

function isMalformed(text: string): boolean {
  return text.includes('%') && text.replace(CHARACTER, '').includes('%');
}
