/** Validating whole sources: faults of the source, and the good stores. */
import { describe, expect, it } from 'vitest';
import { ndjson, storeWith, validate } from '../support/faulty-sources.ts';
import { buildProfile, buildStore, storeId } from '../support/stores/store-builder.ts';

describe('a fault of the source', () => {
  it('names the store by its slug or its name where it has no id, and by its id where it is no JSON', async () => {
    const nameless = storeWith(1, { id: undefined, slug: undefined });
    const cut = JSON.stringify(buildStore(2)).replace('{"id":', '{ "id" : ').slice(0, 200);
    const whole = ndjson([storeWith(3, { id: undefined }), nameless]);
    const { faults } = await validate(`${whole}\n${cut}`);
    expect(faults.map(({ kind, store }) => [kind, store])).toEqual([
      ['missing_field', 'store-3'],
      ['missing_field', 'Store 1'],
      ['missing_field', 'Store 1'],
      ['invalid_json', storeId(2)],
    ]);
  });

  it('in an array says the number of the element', async () => {
    const stores = [buildStore(1), storeWith(2, { 'profile.name': 1 }), buildStore(3)];
    const { faults } = await validate(`${JSON.stringify(stores).slice(0, -1)},{"id":}]`);
    expect(faults.map(({ line, element, kind }) => [line, element, kind])).toEqual([
      [1, 2, 'wrong_type'],
      [1, 4, 'invalid_json'],
    ]);
  });

  it('is no key given twice where a text only looks like one', async () => {
    const name = 'say \\"name\\": or "name" : {"a":1,"a":2}, "id":';
    const text = JSON.stringify(storeWith(1, { 'profile.name': name }), null, 1);
    const { good, faults } = await validate(`[${text.replaceAll('":', '" :')}]`);
    expect(faults).toEqual([]);
    expect(good).toHaveLength(1);
  });

  it('is one however deep it is, and whatever is nested deeper than any store', async () => {
    const deep = `{"a":${'['.repeat(50_000)}{"b":1,"b" :2}${']'.repeat(50_000)}}`;
    const { faults } = await validate(`${deep}\n{"a" :1,"b":2,"b":3}`);
    const repeated = faults.filter(({ kind }) => kind === 'duplicate_key');
    expect(repeated.map(({ line, path }) => [line, path.replace(/(\.0)+/, '.0')])).toEqual([
      [1, 'a.0.b'],
      [2, 'b'],
    ]);
  });

  it('is a key given twice in a store of nearly the largest size', async () => {
    const store = storeWith(1, { 'profile.description.en': 'ab\n'.repeat(3_900_000) });
    const text = JSON.stringify(store).replace('"slug":', '"slug":"other","slug":');
    const { faults } = await validate(text);
    expect(faults.map(({ kind, path }) => `${kind} ${path}`)).toEqual(['duplicate_key slug']);
  });

  it('is a text that many readers of JSON refuse, wherever it is', async () => {
    const store = buildStore(1);
    const whole = JSON.stringify(store).replace('"name":"', '"name":"🚲 \\ud83d\\udeb2');
    expect((await validate(whole)).faults).toEqual([]);
    const text = whole
      .replace('"name":"', '"name":"\\u0000')
      .replace('"pageUrl":"', '"pageUrl":"\\uD83D');
    const { good, faults } = await validate(text);
    expect(good).toEqual([]);
    const unreadable = faults.filter(({ kind }) => kind === 'unreadable_text');
    expect(unreadable.map(({ path }) => path).sort()).toEqual(['pageUrl', 'profile.name']);
  });

  it('is a key given twice, wherever it is', async () => {
    const text = JSON.stringify(buildStore(1))
      .replace('"name":', '"name":"Other","name":')
      .replace('"openingHours":[{', '"openingHours":[{"\\u0069d":"h0",')
      .replace('"slug":', '"colour":":","colour":{"a":1},"slug":');
    const { good, faults } = await validate(text);
    expect(good).toEqual([]);
    expect(faults.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      'unknown_key colour',
      'duplicate_key colour',
      'duplicate_key profile.name',
      'duplicate_key temporal.schedule.openingHours.0.id',
    ]);
  });

  it.each([
    ['null', 'wrong_type', 'expected an object'],
    ['"store"', 'wrong_type', 'expected an object'],
    ['{"id":', 'invalid_json', 'expected JSON: Unexpected end of JSON input'],
  ])('line %s', async (value, kind, message) => {
    const { good, faults } = await validate(`${JSON.stringify(buildStore(1))}\n${value}\n`);
    expect(faults).toEqual([
      { kind, line: 2, element: null, store: null, path: '', value, message },
    ]);
    expect(good).toHaveLength(1);
  });

  it.each(['', '\n\n', '[]', '\ufeff[ ]\n'])('%j: no store at all', async (source) => {
    const { faults } = await validate(source);
    expect(faults).toMatchObject([
      { kind: 'no_stores', line: 1, message: 'expected at least one store' },
    ]);
  });
});

describe('a good store', () => {
  it('comes through unchanged, keys in contract order, language maps in their own', async () => {
    const reversed = <Value extends object>(value: Value) =>
      Object.fromEntries(Object.entries(value).reverse()) as Value;
    const profile = buildProfile({ description: { pl: 'p', en: 'e', fr: 'f' } });
    const store = buildStore(1, { profile: reversed(profile) });
    const shuffled = reversed(store);
    const { good } = await validate(ndjson([shuffled]));
    expect(good[0]?.store).toEqual(store);
    const [{ store: validated } = { store: buildStore(2) }] = good;
    expect(Object.keys(validated)).toEqual(Object.keys(buildStore(1)));
    expect(Object.keys(validated.profile)).toEqual(Object.keys(profile));
    expect(Object.keys(validated.profile.description)).toEqual(['pl', 'en', 'fr']);
  });
});
