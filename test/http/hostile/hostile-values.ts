/** Values of parameters and pieces of paths: good ones, odd ones, noise, and secrets out of place. */
import type { Random } from '../../../fixtures/generator/random.ts';
import {
  BROKEN_ENCODINGS,
  FIELD_PATHS,
  LANGUAGES,
  LOADED_VALUES,
  ODD_NUMBERS,
  SORTABLE,
  VERTICALES,
} from './vocabulary.ts';

/** What is there to be asked for. */
export interface Known {
  /** A good token. */
  readonly token: string;
  readonly ids: readonly string[];
  readonly slugs: readonly string[];
  /** Names of releases that were live, the live one among them. */
  readonly releases: readonly string[];
}

/** Most characters of path and query: Cloudflare lets 16 kB through. */
export const LONGEST_TARGET = 16_000;

/** Anything that a target may hold as it is, apart from what separates its parts. */
export const PRINTABLE = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index))
  .filter((character) => !'#?'.includes(character))
  .join('');

export const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

export class HostileValues {
  private readonly random: Random;
  private readonly known: Known;

  constructor(random: Random, known: Known) {
    this.random = random;
    this.known = known;
  }

  /** A value that is legal by itself, and may be none beside the others. */
  good(name: string): string {
    const { random, known } = this;
    const some = (words: readonly string[], most: number) =>
      random.sample(words, random.integer(1, most)).join(',');
    switch (name) {
      case 'skip':
        return `${random.pick([0, 1, 99_990, 2 ** 31, 2 ** 32 + 1])}`;
      case 'limit':
        return `${random.integer(0, 100)}`;
      case 'ran-within':
        return `${random.integer(1, 10_000_000)}`;
      case 'after':
        return random.chance(0.5) ? random.pick(known.ids) : random.hex(24);
      case 'since':
      case 'until':
        return random.chance(0.9) ? random.pick(known.releases) : `1-${random.hex(16)}`;
      case 'sort':
        return some(SORTABLE, 4)
          .split(',')
          .map((field) => field + random.pick(['', '__asc', '__desc']))
          .join(',');
      case 'fields':
        return some(FIELD_PATHS, random.pick([1, 5, FIELD_PATHS.length]));
      case 'lang':
        return random.pick(LANGUAGES);
      case 'id.in':
        return some(known.ids, 100);
      case 'position.radius':
        return `${random.decimal(0, 50, 2)}`;
      case 'position.latitude':
        return `${random.decimal(-90, 90, 4)}`;
      case 'position.longitude':
        return `${random.decimal(-180, 180, 4)}`;
      case 'rentalPointSlug':
        return random.pick(known.slugs);
      default:
        return name.endsWith('quals') ? random.pick(VERTICALES) : some(VERTICALES, 16);
    }
  }

  /** A value that may be anything. */
  any(name: string): string {
    const { random } = this;
    switch (random.weighted([3, 2, 2, 1, 1, 1, 1])) {
      case 0:
        return this.good(name);
      case 1:
        return encode(random.pick(ODD_NUMBERS));
      case 2:
        return encode(random.pick(LOADED_VALUES));
      case 3:
        return random.pick(BROKEN_ENCODINGS);
      case 4:
        return this.secret();
      case 5:
        return this.mutated(this.good(name));
      default:
        return random.pick(['', ',', ',,,', random.text(PRINTABLE, random.integer(1, 200))]);
    }
  }

  /** Characters without any sense, or one of them again and again. */
  noise(): string {
    const { random } = this;
    const length = random.pick([1, 20, 200, 2_000, LONGEST_TARGET]);
    if (random.chance(0.3)) return random.pick(BROKEN_ENCODINGS).repeat(Math.ceil(length / 4));
    if (random.chance(0.3)) return random.pick(PRINTABLE.split('')).repeat(length);
    return random.text(`${PRINTABLE}&&&&====%%%%`, Math.min(length, 3_000));
  }

  /** The good token where none belongs, written in a way that decodes to it. */
  secret(): string {
    const { random, known } = this;
    const encoded = (character: string) =>
      `%${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
    switch (random.integer(0, 4)) {
      case 0:
        return known.token;
      case 1:
        return known.token.replaceAll('_', random.pick(['%5F', '%5f', '%255F', '%25255f']));
      case 2:
        return [...known.token].map(encoded).join('');
      case 3:
        return [...known.token].map((each) => (random.chance(0.3) ? encoded(each) : each)).join('');
      default:
        return (
          random.pick(['x', 'x.', 'x%20', '"']) + known.token + random.pick(['', '-1', '%0a', '.y'])
        );
    }
  }

  /** `text` with a letter or two left out, doubled, swapped or replaced. */
  mutated(text: string): string {
    const { random } = this;
    const at = random.integer(0, Math.max(0, text.length - 1));
    const [head, tail] = [text.slice(0, at), text.slice(at + 1)];
    const letter = text[at] ?? '';
    return random.pick([
      head + tail,
      head + letter + letter + tail,
      head + random.text(PRINTABLE, 1) + tail,
      (head + letter + tail).toUpperCase(),
      text + random.text(LETTERS, 2),
      head + tail + letter,
    ]);
  }

  /** So many texts, as far as they fit. */
  joined(count: number, separator: string, text: (index: number) => string): string {
    const texts: string[] = [];
    let length = 0;
    for (let index = 0; index < count && length < LONGEST_TARGET; index++) {
      const next = text(index);
      texts.push(next);
      length += next.length + separator.length;
    }
    return texts.join(separator);
  }
}

/** Percent-encoded. Half a surrogate pair, which has no encoding, is left out. */
export function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed());
}
