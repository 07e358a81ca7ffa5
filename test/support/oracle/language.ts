/** Which language a store answers in, and what its language maps read in it. */

import type { LocalizedText, SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';

/** `localization.current` of `store` for a request with or without `lang`; the description decides. */
export function currentLanguage(store: SourceStore, lang: Language | undefined): Language {
  const present = Object.keys(store.profile.description) as Language[];
  const { default: own } = store.localization;
  const wanted = [lang ?? own, 'fr', own] as const;
  return wanted.find((each) => present.includes(each)) ?? (present[0] as Language);
}

/** Current, else French, else the store's default, else the first entry of the map. */
export function textIn(text: LocalizedText, current: Language, fallback: Language): string {
  if (typeof text === 'string') return text;
  return text[current] ?? text.fr ?? text[fallback] ?? (Object.values(text)[0] as string);
}
