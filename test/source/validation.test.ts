/** Validating whole sources: faults of lines and between stores, and the good stores. */
import { describe, expect, it } from 'vitest';
import { ndjson, validate } from '../support/faulty-sources.ts';
import { buildStore, storeId } from '../support/stores/store-builder.ts';

const FIRST = buildStore(1);
const FAULTY = buildStore(1, { 'profile.name': 1 });
const TEXT = JSON.stringify(FIRST);
const NO_STORES = '1 no_stores : expected at least one store';

const LARGE = JSON.stringify(
  buildStore(1, { 'profile.description.en': 'ab\n'.repeat(3_900_000) }),
).replace('"slug":', '"slug":"other","slug":');
const LIKE_A_KEY = buildStore(1, {
  'profile.name': 'say \\"name\\": or "name" : {"a":1,"a":2}, "id":',
});
const EMOJI = TEXT.replace('"name":"', '"name":"🚲 \\ud83d\\udeb2');

describe('a source', () => {
  it.each<[holds: string, source: string, faults: string[], good: number[]]>([
    [
      'an id again, in whatever case',
      ndjson([FIRST, buildStore(3), buildStore(2, { id: storeId(1).toUpperCase() })]),
      ['3 duplicate_id id: expected an id of its own: line 1 has it already'],
      [1, 2],
    ],
    [
      'a slug again, in the same case, in an array',
      `[\n${[1, 2, 3, 4]
        .map((number) => buildStore(number, { slug: number === 3 ? 'STORE-1' : 'store-1' }))
        .map((store) => JSON.stringify(store))
        .join(',\n')}\n]`,
      [
        '3 duplicate_slug slug: expected a slug of its own: element 1 has it already',
        '5 duplicate_slug slug: expected a slug of its own: element 1 has it already',
      ],
      [2, 4],
    ],
    [
      'a good store before a faulty one of its names',
      ndjson([FIRST, FAULTY]),
      [
        '2 wrong_type profile.name: expected string',
        '2 duplicate_id id: expected an id of its own: line 1 has it already',
        '2 duplicate_slug slug: expected a slug of its own: line 1 has it already',
      ],
      [1],
    ],
    [
      'a store four times, twice with a fault',
      ndjson([FAULTY, FAULTY, FIRST, FIRST]),
      [
        '1 wrong_type',
        '2 wrong_type',
        '2 duplicate_id id: expected an id of its own: line 1 has it already',
        '2 duplicate_slug',
        '1 duplicate_id id: expected an id of its own: line 3 has it too',
        '1 duplicate_slug slug: expected a slug of its own: line 3 has it too',
        '4 duplicate_id id: expected an id of its own: line 3 has it already',
        '4 duplicate_slug',
      ],
      [3],
    ],
    [
      'a slug of a good store and of one that shares its id',
      ndjson([FIRST, buildStore(1, { slug: 'x' }), buildStore(2, { slug: 'x' })]),
      ['2 duplicate_id', '2 duplicate_slug'],
      [1, 3],
    ],
    [
      'ids and slugs again that are none',
      ndjson([1, 2].map((number) => buildStore(number, { id: 'x', slug: 'a b' }))),
      ['1 bad_format id', '1 bad_format slug', '2 bad_format id', '2 bad_format slug'],
      [],
    ],
    [
      'keys again, wherever they are',
      TEXT.replace('"name":', '"name":"Other","name":')
        .replace('"openingHours":[{', '"openingHours":[{"\\u0069d":"h0",')
        .replace('"slug":', '"colour":":","colour":{"a":1},"slug":'),
      [
        '1 unknown_key colour',
        '1 duplicate_key colour',
        '1 duplicate_key profile.name',
        '1 duplicate_key temporal.schedule.openingHours.0.id',
      ],
      [],
    ],
    ['a key again in a store of nearly the largest size', LARGE, ['1 duplicate_key slug'], []],
    [
      'a text that only looks like a key again',
      `[${JSON.stringify(LIKE_A_KEY, null, 1).replaceAll('":', '" :')}]`,
      [],
      [1],
    ],
    ['whole pairs of surrogates', EMOJI, [], [1]],
    [
      'texts that many readers of JSON refuse',
      EMOJI.replace('"name":"', '"name":"\\u0000').replace('"pageUrl":"', '"pageUrl":"\\uD83D'),
      ['1 bad_format pageUrl', '1 unreadable_text pageUrl', '1 unreadable_text profile.name'],
      [],
    ],
    ['a null', `${TEXT}\nnull\n`, ['2 wrong_type : expected object'], [1]],
    ['nothing', '', [NO_STORES], []],
    ['an empty list', '\ufeff[ ]\n', [NO_STORES], []],
  ])('with %s has these faults and no others', async (_holds, source, expected, lines) => {
    const { good, faults } = await validate(source);
    const told = faults.map(
      ({ line, kind, path, message }) => `${line} ${kind} ${path}: ${message}`,
    );
    expect(told).toEqual(expected.map((words) => expect.stringContaining(words)));
    expect(good.map(({ line }) => line)).toEqual(lines);
  });

  it('has a key given twice however deep it is, and whatever is nested deeper than any store', async () => {
    const deep = `{"a":${'['.repeat(50_000)}{"b":1,"b" :2}${']'.repeat(50_000)}}`;
    const { faults } = await validate(`${deep}\n{"a" :1,"b":2,"b":3}`);
    const repeated = faults.filter(({ kind }) => kind === 'duplicate_key');
    expect(repeated.map(({ line, path }) => [line, path.replace(/(\.0)+/, '.0')])).toEqual([
      [1, 'a.0.b'],
      [2, 'b'],
    ]);
  });

  it('names a store by its slug or its name where it has no id, and by its id where it is no JSON', async () => {
    const nameless = buildStore(1, { id: undefined, slug: undefined });
    const cut = JSON.stringify(buildStore(2)).replace('{"id":', '{ "id" : ').slice(0, 200);
    const whole = ndjson([buildStore(3, { id: undefined }), nameless]);
    const { faults } = await validate(`${whole}\n${cut}`);
    expect(faults.map(({ kind, store }) => [kind, store])).toEqual([
      ['missing_field', 'store-3'],
      ['missing_field', 'Store 1'],
      ['missing_field', 'Store 1'],
      ['broken_end', storeId(2)],
    ]);
  });

  it('that is an array says the number of the element', async () => {
    const stores = JSON.stringify([buildStore(2), FAULTY]).slice(0, -1);
    const { faults } = await validate(`${stores},{"id":}]`);
    expect(faults.map(({ line, element, kind }) => [line, element, kind])).toEqual([
      [1, 2, 'wrong_type'],
      [1, 3, 'invalid_json'],
    ]);
  });
});

it('a good store comes through unchanged, keys in contract order, language maps in their own', async () => {
  const reversed = (value: object) => Object.fromEntries(Object.entries(value).reverse());
  const store = buildStore(1, { 'profile.description': { pl: 'p', en: 'e', fr: 'f' } });
  const { good } = await validate(
    ndjson([reversed({ ...store, profile: reversed(store.profile) })]),
  );
  // Strings show the order of keys.
  expect(JSON.stringify(good.map((each) => each.store))).toBe(JSON.stringify([store]));
});
