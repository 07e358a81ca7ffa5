/** `q`: the stores that words of a name, a town or a postcode find. */
import * as z from 'zod';
import { type Kind, one, type Refuse } from '../../parameters/parameter.ts';
import { quote } from '../../shown-text.ts';
import { wordsOf, wordsPart } from '../../snapshot/word-table.ts';
import { MAX_WORDS, searchWords } from '../word-search.ts';
import type { Declaration } from './condition.ts';

const HEADER = 'x-search-reading';

/** Code points, without white space at the ends. */
const LONGEST = 100;

const NAMES_PART = wordsPart('names');
const PLACES_PART = wordsPart('places');

const FAULTS = {
  text_too_long: 'The text is longer than 100 characters.',
  no_words: 'The text has neither letters nor digits.',
  too_many_words: 'The text has more than eight words.',
} as const;

/** Words, folded, each once and sorted, so that equal searches are equal. */
const WORDS: Kind<readonly string[]> = {
  schema: z.string().min(1),
  read(text, refuse: Refuse<keyof typeof FAULTS>) {
    const { length } = Array.from(text.trim());
    if (length > LONGEST) {
      const detail = `Expected at most ${LONGEST} characters, got ${length}.`;
      return refuse('text_too_long', () => detail);
    }
    const words = [...new Set(wordsOf(text))].sort();
    const most = `Expected 1 to ${MAX_WORDS} words of letters and digits, such as "bike lyon"`;
    if (words.length === 0) return refuse('no_words', () => `${most}, got ${quote(text)}.`);
    if (words.length <= MAX_WORDS) return words;
    return refuse('too_many_words', () => `${most}, got ${words.length}.`);
  },
};

const Q_PARAMETER = one(
  {
    name: 'q',
    description: `Finds stores by words. Each word must begin a word of the store's name, or of the town or postcode of a location that the store shows. Case and accents do not matter. If no store has all the words, words of five letters and more may have one wrong, missing, additional or swapped letter; \`x-search-reading\` is then \`close\`, otherwise \`exact\`. At most ${LONGEST} characters and ${MAX_WORDS} words. The best matches come first, unless \`sort\` or a position orders the list. It has no influence on \`geo.location\`. Not together with \`after\`.`,
    example: 'bike lyon',
    usualNames: ['name', 'city', 'town', 'query', 'search', 'text', 'term', 'keyword', 'keywords'],
    usage: 'It finds stores by words of their names, towns and postcodes.',
  },
  WORDS,
);

export const Q: Declaration<readonly [typeof Q_PARAMETER]> = {
  parameters: [Q_PARAMETER],
  faults: FAULTS,
  headers: {
    [HEADER]: {
      description:
        'With `q`: `exact` when the words were searched as they were typed; `close` when no store has all of them, so that slips were allowed. A 304 does not have it: the value of the answer that you kept still holds.',
      schema: { type: 'string', enum: ['exact', 'close'] },
      example: 'exact',
      isIn304: false,
    },
  },
  isOrdering: true,
  decide({ q: words }) {
    if (words === undefined) return null;
    return {
      kind: 'stores',
      keeps: 'some',
      text: `q=${words.join('+')}`,
      logged: `q=${words.length} words`,
      parts: [NAMES_PART, PLACES_PART],
      order: [{ column: 'relevance', descending: true }],
      isShown: true,
      open(release, scratch) {
        const [inNames, inPlaces] = [release.table(NAMES_PART), release.table(PLACES_PART)];
        const { storeCount } = release;
        const found = searchWords(inNames, inPlaces, words, storeCount, scratch);
        const { reading, stores, relevance } = found;
        return {
          test: (store) => relevance.ranks[store] !== 0,
          stores,
          relevance,
          headers: { [HEADER]: reading },
        };
      },
    };
  },
};
