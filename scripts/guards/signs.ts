/** Signs by which a value is wrong in itself, whatever a store was before. */
import type { JsonObject } from '../source/values-in.ts';
import { isContradiction, isForGood, isOtherName, isOtherUnit, isSwapped } from './wrong-values.ts';

/** What a text or a number looks like that cannot be meant, or what tells a value. */
export type Looks = RegExp | ((value: never, store: JsonObject, path: string) => boolean);

/** At paths that match, by default anywhere. */
export type Sign = readonly [looks: Looks, at?: RegExp];

/** What people write, but for reviews. */
const TEXTS = /(profile\.name|description|\.(address|street|city|country))$/;

/** Texts of programs, which no shop would write. */
export const ERRORS: readonly Sign[] = [
  // In place of a value that is lacking; templates that were not filled in; what people put there for the time being.
  [/^(\s+|null|none|nil|nan|undefined|n\/a|\(null\)|<nil>|\\N|#{3,}|true|false)$/i],
  [/\[object \w+|\$\{\w|\{\{|[Ll]orem ipsum|^https?:.*(\{|%7B)/],
  [
    /^(tbd|todo|unknown|(test|demo|dummy|sample|example)[ _-]?(store|shop|location)?[ _-]?\d*)$/i,
    TEXTS,
  ],
  // A part of a text, of a slug, of an address, of a URL.
  [/(^|[\s,;:/.=])(undefined|NaN)(?=[\s,;:/?&#.]|$)|^NULL\s/],
  [/(^|-)(null|undefined)(-|$)/, /slug$/],
  [/(^|, )(null|NULL|nan)(?=,|$)|^https?:.*[/.=]null(?=[/?&#.]|$)/],
  // Lists, objects, bytes and long numbers, as programs write these.
  [/^(b'|\['|\[?\{["'\\]|\d(\.\d+)?E\+\d+$)/i],
  [/#(N\/A|NAME\?|(REF|VALUE|DIV\/0|NULL|NUM|ERROR)!)/],
  [/^([\w.]*(Error|Exception)|Warning): |^Traceback \(/],
  // Escapes of HTML, of JSON and of URLs; tags; Markdown.
  [
    /^(?!https?:).*(&#?[a-z\d]{2,31};|\\(u[\da-f]{4}|[nrt](?![a-z])|["'])|%C3%|<\/?[a-z]+\d?[ />])/is,
  ],
  [/^#{1,6} \p{L}|(?<!\*)\*\*[\p{L}\d][^*]*\*\*|\]\(https?:/mu, TEXTS],
  // UTF-8 as Latin-1 or Windows-1252: letters, typographic signs, scripts of Asia; what was lost.
  [/[ÂÃÄÅÎÏÐÑØÙ][^\0-\x7fÀ-ÿ]|â€|([à-ï][^\0-\x7fÀ-ÿ]{2}){2}|\ufffd/],
  // UTF-8 as Mac Roman, DOS and Windows-1251; other scripts as Latin-1; DOS and Mac as Windows-1252.
  [/√[^\s\d(]|[\u2500-\u259f]|([РС][\u0400-\u04ff\u00a0-\u00bf\u2000-\u2122]){3}/],
  [/[À-ÖØ-öø-ÿ]{4}|[A-Za-z][ГВ]|\p{L}[‚„†‡‰]|\p{Ll}[ŽŸ]/u],
  // A letter that a narrower encoding lacks: `Z?rich`.
  [/(^|\s)\p{L}+\?{1,2}\p{Ll}/u, TEXTS],
];

/** Values of another field, of another unit, or of no shop, and those that cannot be together. */
export const ODD: readonly Sign[] = [
  // Control characters, but no line ends and tabs; columns of a fixed width; dates of computers: the first ones,
  // and those that stand for never.
  [/(?![\t\n\r])\p{Cc}| {3}$|^(0|1[0-8]|19[0-6]|1970)\d*-\d\d-\d\dT/u],
  [/^(203[89]|20[4-9]|2[1-9]|[3-9])/, /(edAt|publishTime)$/],
  // Invisible characters and line ends, but what joins emoji or letters; a row that was not split; a description.
  [/(?!\u200c|\u200d)\p{Cf}|[\t\n\r]|;.*;|%20|^.{120}/u, /profile\.name$/],
  // One text twice, as a join writes it.
  [/^(.{6,}?)[\s,-]*\1$/u, /profile\.name$/],
  // Signs alone, ids of documents and rows, addresses of pages and of e-mail, in place of words.
  [
    /^(\P{L}+|[\da-fA-F-]{24,36}|https?:\S+|\S+@\S+)$/u,
    /profile\.(name|description)$|components\.(city|country)$/,
  ],
  // Numbers of stores and stations, names of rows; quotes and commas of a table.
  [/^([\p{Lu}\d]{1,6}[-_ ]?\d{3,}|\w+_\w+|".*"|.*;)$/u, /profile\.name$/],
  // Encoded for a URL or a mail.
  [/^[!-~]{40,}$/, /description$/],
  // Columns that were shifted: a postal code in the city, a city in the postal code.
  [/\d{4}|^(?!.*\p{L}{3}).*\d/u, /components\.city$/],
  [/\d/, /components\.country$/],
  [/^\D+$|\.0$/, /components\.postalCode$/],
  // In seconds; numbers that stand for none.
  [/^\d{5,}(\.|$)/, /minHours$/],
  [/^\d{7,}$/, /total$/],
  // No zone of shops; money that is metal or a unit of account.
  [/^(Etc|GMT|UTC|Zulu)/, /timezone$/],
  [/^X(?!AF|CD|CG|OF|PF)/, /isoCode$/],
  // Fractions in place of percent; no shop gives everything away.
  [/^(100|0\.\d+)$/, /(percentage|tax\.value)$/],
  [/^[5-9]\d/, /tax\.value$/],
  // A picture in place of a page.
  [/\.(png|jpe?g|gif|svg|webp)$/i, /pageUrl$/],
  [isOtherName, /profile\.name$/],
  [isSwapped, /components$/],
  [isOtherUnit, /delivery\.ranges$/],
  [isForGood, /closedRanges$/],
  [isContradiction, /(\.\d+|duration|external|currency)$/],
];
