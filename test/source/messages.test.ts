/** What messages say to write: it is not what the value is already, and it is taken. */
import { describe, expect, it } from 'vitest';
import { FULL_STORE } from '../../fixtures/example-stores.ts';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { issueFaults } from '../../scripts/source/issue-faults.ts';
import { sourceFields } from '../../scripts/source/source-schema.ts';
import { storeWith, validate } from '../support/faulty-sources.ts';
import { STORE_CASES } from './support/store-cases.ts';

/** Forms that messages ask for, and what has them. */
const FORMS: readonly (readonly [asked: RegExp, has: (value: unknown) => boolean])[] = [
  [/^expected a (?:string|text)/, (value) => typeof value === 'string'],
  [/^expected a number/, (value) => typeof value === 'number'],
  [/^expected a whole number/, Number.isInteger],
  [/^expected true or false/, (value) => typeof value === 'boolean'],
  [/^expected an array/, Array.isArray],
  [/^expected an object/, (value) => Object.prototype.toString.call(value) === '[object Object]'],
  [/in quotes/, (value) => typeof value === 'string'],
  [/without quotes/, (value) => typeof value !== 'string'],
  [/or null$/, (value) => value === null],
  [/HH:mm/, (value) => /^([01]\d|2[0-3]):[0-5]\d$/.test(String(value))],
  [/a time that exist/, (value) => isTime(String(value))],
  [/hexadecimal digits$/, (value) => /^[\da-f]{24}$/i.test(String(value))],
  [/^expected a complete http/, (value) => /^https?:\/\/\w+\.\w/i.test(String(value))],
  [/^expected the code of a currency/, (value) => ['EUR', 'VED', 'XCG'].includes(String(value))],
  [
    /^expected a name of the IANA/,
    (value) => ['UTC', 'GB', 'Asia/Kolkata'].includes(String(value)),
  ],
];

/** A date-time in full, of a day that there is. */
function isTime(text: string): boolean {
  const isFull = /^\d{4}-\d\d-\d\dT([01]\d|2[0-3]):[0-5]\d.*(Z|[+-][01]\d(:?\d\d)?)$/.test(text);
  return isFull && new Date(text.slice(0, 10)).toJSON()?.slice(0, 10) === text.slice(0, 10);
}

/** The message is about another form than that of the value, and no list in it has the value. */
function expectOtherForm(message: string, value: unknown): void {
  for (const [asked, has] of FORMS) {
    if (asked.test(message)) expect(has(value), `${JSON.stringify(value)}: ${message}`).toBe(false);
  }
  const [, list] = /^expected one of (?!the)(.*?)(?:, or null)?$/.exec(message) ?? [];
  const shown = message.includes('"') ? JSON.stringify(value) : value;
  if (list) expect(list.split(', '), `${JSON.stringify(value)}: ${message}`).not.toContain(shown);
}

describe('a message', () => {
  it.each(STORE_CASES)('on %s = %j asks for another form', (_path, value, kind, message) => {
    if (kind !== 'unknown_language' && kind !== 'unknown_key') expectOtherForm(message, value);
  });

  it.each(
    STORE_CASES.map(([path, value, , message]) => {
      const [example] =
        /(?<=\bas )\S+$|(?<=^expected )\S+(?=, (?:as the IANA|in capitals))/.exec(message) ?? [];
      return [path, value, example] as const;
    }).filter(([, , example]) => example !== undefined),
  )('on %s = %j names what is taken: %s', async (path, _value, example) => {
    const { faults } = await validate(JSON.stringify(storeWith(2, { [path]: example })));
    expect(faults).toEqual([]);
  });

  it('asks for another form whatever field has whatever value', () => {
    const values = [
      ...[null, true, 0, -1, 1.5, 1e6, [], {}, [1], { fr: 1 }, '', '0', '1', 'true', 'fr', 'BIKE'],
      ...['eur', '9:00', '24:00', 'BST', '2021-04-12T08:30Z', '2021-04-12', 'a.example', 'a b'],
    ];
    let count = 0;
    // One field of each kind.
    const fields = sourceFields().map(
      ({ path, schema: { description, ...schema }, isNullable }) => {
        return [JSON.stringify([schema, isNullable]), path] as const;
      },
    );
    for (const path of new Map(fields).values()) {
      for (const value of values) {
        const keys = path.replaceAll('*', '0').split('.');
        const store = structuredClone(FULL_STORE);
        const holder = keys.slice(0, -1).reduce((at, key) => Reflect.get(at, key), store as object);
        Reflect.set(holder, keys.at(-1) as string, value);
        const { error } = sourceStoreSchema.safeParse(store);
        const faults = issueFaults(error?.issues ?? [], store);
        for (const fault of faults.filter((each) => each.path === keys.join('.'))) {
          count++;
          expectOtherForm(fault.message, value);
        }
      }
    }
    expect(count).toBeGreaterThan(500);
  });

  it('says what a store without languages lacks', async () => {
    const store = storeWith(1, { 'localization.available': [] });
    expect((await validate(JSON.stringify(store))).faults).toMatchObject([
      {
        path: 'localization.default',
        message: 'expected localization.available to have it, which is empty',
      },
    ]);
  });
});
