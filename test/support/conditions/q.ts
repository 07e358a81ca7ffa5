/** `q`: the search by words, letter by letter. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { foldedWords, isWithinSlips } from '../oracle/folded.ts';
import { remembering } from '../remembering.ts';
import { type Asked, encoded, type Samples } from './condition-case.ts';

interface Search {
  readonly reading: 'exact' | 'close';
  /** Of the stores that match: how many words are in the name, and how many are whole words. */
  readonly found: ReadonlyMap<SourceStore, readonly [named: number, whole: number]>;
}

function search(stores: readonly SourceStore[], q: string): Search {
  const exact = matches(stores, q, begins);
  if (exact.size > 0) return { reading: 'exact', found: exact };
  return { reading: 'close', found: matches(stores, q, almostBegins) };
}

type Fits = (asked: string, word: string) => boolean;

function matches(stores: readonly SourceStore[], q: string, fits: Fits): Search['found'] {
  const asked = [...new Set(foldedWords(q))];
  const found = new Map<SourceStore, readonly [number, number]>();
  for (const store of stores) {
    const { named, all } = wordsOf(store);
    const count = (has: (each: string) => boolean) => asked.filter(has).length;
    if (count((each) => all.some((word) => fits(each, word))) < asked.length) continue;
    found.set(store, [
      count((each) => named.some((word) => fits(each, word))),
      count((each) => all.includes(each)),
    ]);
  }
  return found;
}

/** The words of the name of a store, and all of its words. */
const wordsOf = remembering(({ profile, geo }: SourceStore) => {
  const named = foldedWords(profile.name);
  const places = geo.displayAddress ? [geo.main, ...geo.rentalPoints] : [];
  const all = places.flatMap(({ components, canonicalComponents }) => [
    ...[components.city, canonicalComponents.city, components.postalCode].flatMap(foldedWords),
    ...[foldedWords(components.postalCode).join('')].filter((joined) => joined !== ''),
  ]);
  return { named, all: [...named, ...all] };
});

const isLetter = (letter: string) => /\p{L}/u.test(letter);

const begins: Fits = (asked, word) => word.startsWith(asked);

const almostBegins: Fits = (asked, word) => {
  if (begins(asked, word)) return true;
  const letters = Array.from(asked);
  if (letters.length < 5 || !letters.every(isLetter)) return false;
  const others = Array.from(word);
  return others.some((_, index) => isWithinSlips(1, letters, others.slice(0, index + 1)));
};

/** Words of the stores: whole ones, beginnings, some with a slip, and a word that none has. */
function searches(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  const words = [...new Set(stores.flatMap((store) => wordsOf(store).all)), 'Reykjavík'];
  const change = fc.constantFrom<(letters: string[], index: number) => string[]>(
    ...[(letters: string[]) => letters, (letters: string[]) => letters],
    (letters, index) => letters.slice(0, index + 1),
    (letters, index) => letters.toSpliced(index, 1),
    (letters, index) => letters.toSpliced(index, 0, 'e'),
    (letters) => [...letters, 'e'],
    (letters, index) => letters.toSpliced(index, 1, 'e'),
    (letters, index) => letters.toSpliced(index, 2, ...letters.slice(index, index + 2).reverse()),
    (letters) => letters.map((letter) => letter.toUpperCase()),
    (letters) => Array.from(letters.join('\u0301\u00ad').replaceAll('ss', 'ß')),
  );
  const word = fc.tuple(fc.constantFrom(...words), change, fc.nat()).map(([text, edit, number]) => {
    const letters = Array.from(text);
    return edit(letters, number % letters.length).join('');
  });
  return fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '-', ', ', 'ʼ'))
    .map(([all, between]) => all.join(between))
    .filter((text) => foldedWords(text).length > 0 && Array.from(text).length <= 100);
}

export const Q_ASKED = {
  q: {
    draw: searches,
    write: (q) => ({ q }),
    notBeside: ['after'],
    keep(q, stores) {
      const { found } = search(stores, q);
      return (store) => {
        const relevance = found.get(store);
        return relevance ? { relevance } : null;
      };
    },
    headers: (q, stores) => ({ 'x-search-reading': search(stores, q).reading }),
  } satisfies Asked<string>,
};

const EXPECTED = 'Expected 1 to 8 words of letters and digits, such as "bike lyon"';
const TOLD = 'Did you mean "q"? It finds stores by words of their names, towns and postcodes.';

export const Q_SAMPLES: Samples = {
  same: [['q=velo lyon', 'q=%20LYON%2C%20V%C3%A9lo+lyon']],
  read: [
    [`q=${encoded('STRASSE Straße ΟΔΟΣ οδος İI')}`, 'q=ii+strasse+οδοσ'],
    [
      `q=${encoded('Ve\u0301\u00adlo Łó\u200dd\u200cź \u2060S\ufefføn سـلام')}`,
      'q=lodz+son+velo+سلام',
    ],
    [`q=${encoded('Ææ Œœ Øø Łł Đđ Ðð ıI Þþ ẞß')}`, 'q=aeae+dd+ii+ll+oeoe+oo+ssss+thth'],
    [`q=${encoded('aʸb aˀb')}`, 'q=ayb+aˀb'],
    [`q=${encoded('bʹc dʺe fʻg ŉ')}`, 'q=b+c+d+e+f+g+n'],
    [`q=${encoded('bʼc dʽe fʾg hʿ')}`, 'q=b+c+d+e+f+g+h'],
    [`q=${encoded(`  ${'A a B-c/d,e.f_g½'.padEnd(100, '!')}  `)}`, 'q=2+a+b+c+d+e+f+g1'],
  ],
  refused: [[`q=bike&after=${'a'.repeat(24)}`, 'not_together q']],
  explained: [
    ['q=%20-%20!%20', 'malformed_value q', `${EXPECTED}, got " - ! ".`],
    ['q=a+b+c+d+e+f+g+h+i', 'too_many q', `${EXPECTED}, got 9.`],
    [`q=${encoded('🚲'.repeat(101))}`, 'too_long q', 'Expected at most 100 characters, got 101.'],
  ],
  tried: [
    ['name', TOLD],
    ['city', TOLD.replace('"q"', '"delivery.city" or "q"')],
    ['postcode', TOLD.replace('"q"', '"q" or "delivery.postalCode"')],
  ],
};
