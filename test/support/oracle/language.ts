/** Which language a store answers in, and what its language maps read in it. */

import type { LocalizedText, SourceStore } from '../../../scripts/compile/source-store.ts';
import type { Language } from '../../../src/model/enumerations.ts';

/** `localization.current` of `store` for a request with or without `lang`; the description decides. */
export function currentLanguage(store: SourceStore, lang: Language | undefined): Language {
  const present = Object.keys(store.profile.description) as Language[];
  const wanted = lang === undefined ? store.localization.default : lang;
  if (present.includes(wanted)) return wanted;
  if (present.includes('fr')) return 'fr';
  if (present.includes(store.localization.default)) return store.localization.default;
  return present[0] as Language;
}

/** Current, else French, else the store's default, else the first entry of the map. */
export function textIn(text: LocalizedText, current: Language, fallback: Language): string {
  if (typeof text === 'string') return text;
  const entries = Object.entries(text);
  for (const language of [current, 'fr', fallback]) {
    const entry = entries.find(([key]) => key === language);
    if (entry) return entry[1];
  }
  return (entries[0] as [string, string])[1];
}
