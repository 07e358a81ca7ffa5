/** `q`. */
import fc from 'fast-check';
import type { SourceStore } from '../../../scripts/compile/source-store.ts';
import { allWords, search } from '../oracle/words.ts';
import { type Asked, encoded, type Samples } from './condition-case.ts';

/** Words of the stores: whole ones, beginnings, some with a slip, and a word that none has. */
function searches(stores: readonly SourceStore[]): fc.Arbitrary<string> {
  const words = [...new Set(stores.flatMap(allWords)), 'Reykjavík'];
  const change = fc.constantFrom<(letters: string[], place: number) => string[]>(
    ...[(letters: string[]) => letters, (letters: string[]) => letters],
    (letters, place) => letters.slice(0, place + 1),
    (letters, place) => letters.toSpliced(place, 1),
    (letters, place) => letters.toSpliced(place, 0, 'e'),
    (letters) => [...letters, 'e'],
    (letters, place) => letters.toSpliced(place, 1, 'e'),
    (letters, place) => letters.toSpliced(place, 2, ...letters.slice(place, place + 2).reverse()),
    (letters) => letters.map((letter) => letter.toUpperCase()),
  );
  const word = fc.tuple(fc.constantFrom(...words), change, fc.nat()).map(([text, edit, number]) => {
    const letters = Array.from(text);
    return edit(letters, number % letters.length).join('');
  });
  return fc
    .tuple(fc.array(word, { minLength: 1, maxLength: 3 }), fc.constantFrom(' ', '-', ', '))
    .map(([all, between]) => all.join(between))
    .filter((text) => /[\p{L}\p{N}]/u.test(text) && Array.from(text).length <= 100);
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
  pairs: (stores) => {
    const [first, second] = stores.map(({ profile }) => `q=${profile.name.split(' ')[0]}`);
    return { q: [first as string, second as string] };
  },
  same: [['q=velo lyon', 'q=%20LYON%2C%20V%C3%A9lo+lyon']],
  read: [[`q=${encoded(`  ${'A a B-c/d,e.f_g½'.padEnd(100, '!')}  `)}`, 'q=2+a+b+c+d+e+f+g1']],
  refused: [[`q=bike&after=${'a'.repeat(24)}`, 'not_beside_after q']],
  explained: [
    ['q=%20-%20!%20', 'no_words q', `${EXPECTED}, got " - ! ".`],
    ['q=a+b+c+d+e+f+g+h+i', 'too_many_words q', `${EXPECTED}, got 9.`],
    [
      `q=${encoded('🚲'.repeat(101))}`,
      'text_too_long q',
      'Expected at most 100 characters, got 101.',
    ],
  ],
  tried: [
    ['name', TOLD],
    ['city', TOLD],
  ],
};
