/** Times, time zones and currencies that stores may have: as exports write them, and as stores are answered with them. */
import { describe, expect, it } from 'vitest';
import { sourceStoreSchema, TIME_ZONES } from '../../scripts/compile/source-store.ts';
import { buildStore } from '../support/stores/store-builder.ts';

it.each([
  ['2021-04-12T08:30:00Z', '2021-04-12T08:30:00Z'],
  ['2021-04-12T08:30:00.123456+05:45', '2021-04-12T08:30:00.123456+05:45'],
  ['2021-04-12T08:30Z', '2021-04-12T08:30:00Z'],
  ['2021-04-12T08Z', '2021-04-12T08:00:00Z'],
  ['2021-04-12T08:30:00+0200', '2021-04-12T08:30:00+02:00'],
  ['2021-04-12T08:30:00.5-03', '2021-04-12T08:30:00.5-03:00'],
  ['2021-04-12T08:30\u221205:00', '2021-04-12T08:30:00-05:00'],
  ['2021-04-12T08:30:00,25Z', '2021-04-12T08:30:00.25Z'],
  ['20210412T083000Z', '2021-04-12T08:30:00Z'],
  ['20210412T0830+02', '2021-04-12T08:30:00+02:00'],
])('%s is read, and answered in full', (written, answered) => {
  const store = buildStore(1, { 'metadata.timestamps.createdAt': written });
  expect(sourceStoreSchema.parse(store).metadata.timestamps.createdAt).toBe(answered);
});

const isGood = (path: string, value: string) =>
  sourceStoreSchema.safeParse(buildStore(1, { [path]: value })).success;

describe('a time zone', () => {
  it('is a name of the IANA database, those of links included', () => {
    for (const zone of [
      ...['Europe/Paris', 'US/Eastern', 'Asia/Calcutta', 'Asia/Kolkata', 'Europe/Kiev', 'GB-Eire'],
      ...['UTC', 'Etc/GMT+5', 'GMT+0', 'EST5EDT', 'CET', 'America/Argentina/ComodRivadavia'],
    ]) {
      expect(isGood('temporal.timezone', zone), zone).toBe(true);
    }
  });

  it('is known to the runtime that looks up its offsets, whatever its name', () => {
    for (const timeZone of TIME_ZONES) new Intl.DateTimeFormat('en', { timeZone });
    for (const zone of Intl.supportedValuesOf('timeZone')) expect(TIME_ZONES).toContain(zone);
  });
});

it('a currency is one that ISO 4217 lists as active', () => {
  const codes = ['EUR', 'VED', 'VES', 'SLE', 'XCG', 'ZWG', 'CUP', 'CHE', 'MXV', 'XAU', 'XAD'];
  for (const code of codes) expect(isGood('pricing.currency.isoCode', code), code).toBe(true);
});
