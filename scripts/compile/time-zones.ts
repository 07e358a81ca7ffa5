/** Time zones by the names of the IANA database, which `Intl` knows in any case and mixes with abbreviations. */
import tzdata from 'tzdata' with { type: 'json' };

/** `Factory` is the database's word for a clock that is not set. */
const { Factory: _, ...zones } = tzdata.zones;

/** Names of zones and links. */
export const TIME_ZONES: ReadonlySet<string> = new Set(Object.keys(zones));

/** Returns what to write in the place of `name`, which is none of the names. */
export function timeZoneAdvice(name: string): string {
  const fold = (text: string) => text.trim().replaceAll(' ', '_').toLowerCase();
  const meant = [...TIME_ZONES].find((zone) => fold(zone) === fold(name));
  return meant === undefined
    ? 'expected a name of the IANA time zone database, such as Europe/Paris'
    : `expected ${meant}, as the IANA time zone database spells it`;
}
