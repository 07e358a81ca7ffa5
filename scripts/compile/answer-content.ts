/**
 * What a store's fingerprint is taken over: all of its answers, and nothing else. So it tells whether
 * any answer could differ, in any language and for any rental point, and a hidden address leaves
 * nothing in it. Tags of single stores and `changes` go by it.
 *
 * The answer without `lang` for the main location, as JSON in contract order; then JSON of two
 * arrays: the language that answers a request for each language, in the order of the contract, and one
 * without; and for each of these languages, in the order in which it comes there first, the texts that
 * depend on it. All else of an answer follows from that.
 */
import type { Language } from '../../src/model/enumerations.ts';
import { localizedTexts } from './derive-store.ts';
import type { SourceStore } from './source-store.ts';

const encoder = new TextEncoder();

/** Reused from store to store. */
let buffer = new Uint8Array(64 * 1024);

/**
 * The bytes, valid until the next call.
 * @param base the answer without `lang` for the main location
 * @param answers the language of the answer in each language, and without one
 */
export function answerContent(
  source: SourceStore,
  base: Uint8Array,
  answers: readonly Language[],
): Uint8Array {
  const texts = [...new Set(answers)].map((language) => localizedTexts(source, language));
  const localized = JSON.stringify([answers, texts]);
  // A UTF-16 code unit takes three bytes of UTF-8 at the most.
  const needed = base.length + 3 * localized.length;
  if (needed > buffer.length) buffer = new Uint8Array(2 * needed);
  buffer.set(base);
  const { written } = encoder.encodeInto(localized, buffer.subarray(base.length));
  return buffer.subarray(0, base.length + written);
}
