/** Times as exports write them, and as stores are answered with them. */
import { expect, it } from 'vitest';
import { sourceStoreSchema } from '../../scripts/compile/source-store.ts';
import { storeWith } from '../support/faulty-sources.ts';

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
  const store = storeWith(1, { 'metadata.timestamps.createdAt': written });
  expect(sourceStoreSchema.parse(store).metadata.timestamps.createdAt).toBe(answered);
});
