/** `q`: the stores that words of a name, a town or a postcode find, by `word-search.ts`. */
import { wordsOf } from '../../model/fold-text.ts';
import { wordsPart } from '../../snapshot/word-table.ts';
import { type Declaration, MAX_TEXT, parameter, SHORT_TEXT, unread } from '../parameters.ts';
import { MAX_WORDS, searchWords } from '../word-search.ts';

const NAME_WORDS = wordsPart('names');
const PLACE_WORDS = wordsPart('places');

/** Words, folded, each once and sorted, so that equal searches are equal. */
const WORDS = SHORT_TEXT.transform((text, context): readonly string[] => {
  const words = [...new Set(wordsOf(text))].sort();
  const expected = `Expected 1 to ${MAX_WORDS} words of letters and digits, such as "bike lyon"`;
  if (words.length === 0) return unread(context, 'malformed_value', expected, text);
  if (words.length <= MAX_WORDS) return words;
  return unread(context, 'too_many', expected, words.length);
});

const shape = {
  q: parameter(WORDS, {
    description: `Finds stores by words. Each word must begin a word of the store's name, or of the town or postcode of a location that the store shows. Case and accents do not matter; signs separate words. If no store has all the words, words of five letters and more may have one wrong, missing, additional or swapped letter; \`x-search-reading\` is then \`close\`, otherwise \`exact\`. At most ${MAX_TEXT} characters and ${MAX_WORDS} words. The best matches come first, unless \`sort\`, a position or a delivery point orders the list. It has no influence on \`geo.location\`. Not together with \`after\`.`,
    example: 'bike lyon',
    usualNames: [
      ...['name', 'query', 'search', 'text', 'term', 'keyword', 'keywords'],
      ...['city', 'town', 'place', 'location', 'address', 'postcode', 'postalcode', 'postal_code'],
    ],
    usage: 'It finds stores by words of their names, towns and postcodes.',
  }),
};

export const Q: Declaration<typeof shape> = {
  shape,
  isOrdering: true,
  toCondition({ q: words }) {
    return {
      kind: 'stores',
      keeps: 'some',
      text: `q=${words.join('+')}`,
      logged: `q=${words.length} words`,
      parts: [NAME_WORDS, PLACE_WORDS],
      order: [{ column: 'relevance', descending: true }],
      isShown: true,
      open(release, scratch) {
        const { reading, stores, relevance } = searchWords(
          release.table(NAME_WORDS),
          release.table(PLACE_WORDS),
          words,
          release.storeCount,
          scratch,
        );
        return {
          test: (store) => relevance.ranks[store] !== 0,
          stores,
          relevance,
          // A 304 does not have it.
          headers: { 'x-search-reading': reading },
        };
      },
    };
  },
};
