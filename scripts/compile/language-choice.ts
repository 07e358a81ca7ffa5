/** Which language of a store answers a request, and which text of a language map it reads. */
import type { Language } from '../../src/model/enumerations.ts';
import type { LanguageMap, LocalizedText, SourceStore } from './source-store.ts';

/**
 * The language in which a store answers a request for `requested` (null: no `lang` parameter).
 *
 * The description decides: the requested language (or the store's default) if it has an entry,
 * else French, else the default, else the first language the description has.
 */
export function chooseLanguage(store: SourceStore, requested: Language | null): Language {
  const description = store.profile.description;
  const fallback = store.localization.default;
  for (const language of [requested ?? fallback, 'fr', fallback] as const) {
    if (description[language] !== undefined) return language;
  }
  return firstLanguage(description);
}

/**
 * The text of `text` for a store answered in `current`: current, else French, else the store's
 * default, else the first entry. Plain strings are the same in every language.
 */
export function readText(text: LocalizedText, current: Language, fallback: Language): string {
  if (typeof text === 'string') return text;
  return text[current] ?? text.fr ?? text[fallback] ?? (text[firstLanguage(text)] as string);
}

function firstLanguage(map: LanguageMap): Language {
  return Object.keys(map)[0] as Language;
}
