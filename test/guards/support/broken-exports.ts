/** Exports that no data team wants to publish, and those that it publishes every day. */
import { BROKEN_PLACES } from './broken-places.ts';
import { BROKEN_SETTINGS } from './broken-settings.ts';
import { BROKEN_TEXTS } from './broken-texts.ts';
import type { ExportCase } from './edited-exports.ts';

export type { ExportCase } from './edited-exports.ts';
export { ORDINARY } from './ordinary-exports.ts';

export const BROKEN: readonly ExportCase[] = [
  ...BROKEN_TEXTS,
  ...BROKEN_PLACES,
  ...BROKEN_SETTINGS,
];
