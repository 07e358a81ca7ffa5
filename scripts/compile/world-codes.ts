/** Time zones and currencies, as the runtime's own ICU data knows them. */

const knownZones = new Map<string, boolean>();
let currencies: ReadonlySet<string> | undefined;

/** Whether `name` is an IANA time zone name in its right spelling. A UTC offset is no name. */
export function isTimeZone(name: string): boolean {
  const known = knownZones.get(name) ?? looksUpTimeZone(name);
  knownZones.set(name, known);
  return known;
}

function looksUpTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    const resolved = new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone;
    // Intl takes a name in any case, partners' libraries do not, so a name that differs from the
    // right one in case alone is refused. An alias resolves to a different name and is accepted.
    return resolved === name || resolved.toLowerCase() !== name.toLowerCase();
  } catch {
    return false;
  }
}

/** Whether `code` is an ISO 4217 currency code, in capitals. */
export function isCurrency(code: string): boolean {
  currencies ??= new Set(Intl.supportedValuesOf('currency'));
  return currencies.has(code);
}
