/** What the words in the search field ask for, besides the name of a town or of a store. */

import {
  LANGUAGES,
  type Language,
  VERTICALES,
  type Verticale,
} from '../../../../src/model/enumerations.ts';
import { foldWords } from '../../../../src/model/fold-text.ts';
import { VERTICALE_NAMES } from './words.ts';

/**
 * How people call what they rent, in the eight languages; the names of the page are understood too. A plural with
 * an `s` needs no word of its own.
 */
const KIND_WORDS: Readonly<Record<Verticale, string>> = {
  BIKE: 'bicycle, cycle, vélo, bicyclette, fiets, fietsen, Fahrrad, Fahrräder, Rad, Räder, bici, bicicletta, biciclette, bicicleta, rower, rowery',
  ELECTRIC_BIKE:
    'ebike, electric bike, vélo électrique, VAE, elektrische fiets, elektrische fietsen, Elektrofahrrad, Elektrofahrräder, Pedelec, bici elettrica, bici elettriche, bicicleta elétrica, bicicleta eléctrica, rower elektryczny, rowery elektryczne',
  MOPED:
    'cyclomoteur, bromfiets, brommer, ciclomotore, ciclomotori, ciclomotor, motorower, motorowery',
  MOTORCYCLE:
    'motorbike, moto, motorfiets, motorfietsen, Motorrad, Motorräder, motocicletta, motociclette, motocicleta, motocykl, motocykle',
  CAR: 'voiture, auto, macchina, macchine, carro, coche, samochód, samochody',
  SCOOTER:
    'trottinette, step, Roller, monopattino, monopattini, trotinete, patinete, hulajnoga, hulajnogi, skuter, skutery',
  SKI: 'skiing, snowboard, Schi, sci, esqui, narty',
  CLIMBING:
    'climbing, escalade, klimmen, Klettern, Kletterausrüstung, arrampicata, escalada, wspinaczka',
  SNOWSHOES:
    'raquettes, raquettes à neige, sneeuwschoenen, Schneeschuhe, ciaspole, raquetes de neve, raquetas de nieve, rakiety śnieżne',
  SURF: 'surf, surfing, Surfbrett, Surfbretter, surfplank, tavola da surf, prancha de surf, tabla de surf',
  PADDLE: 'paddle, stand up paddle, SUP',
  CANOE_KAYAK: 'canoe, kayak, kano, kajak, Kanu, canoa, canoe e kayak, caiaque, piragua, kajaki',
  BOAT: 'bateau, bateaux, boot, boten, Boote, barca, barche, barco, łódź, łodzie, łódka, łódki',
  EVENT: 'event, événement, événementiel, evento, eventi, impreza, imprezy',
  MOTOCULTURE:
    'motoculture, tuinmachines, Gartengeräte, attrezzi da giardino, máquinas de jardim, maquinaria de jardín, maszyny ogrodowe',
  TOOLING:
    'outil, outillage, gereedschap, Werkzeug, Werkzeuge, attrezzi, utensili, ferramenta, herramienta, narzędzie, narzędzia',
};

const KINDS: ReadonlyMap<string, Verticale> = new Map(
  VERTICALES.flatMap((kind) =>
    [VERTICALE_NAMES[kind], ...KIND_WORDS[kind].split(', ')].map((word) => [singular(word), kind]),
  ),
);

/** Words between what is rented and where, and those for renting. */
const BETWEEN = new Set(
  [
    'in near around at by à a au en près de aux bij te nabij bei nahe im am vicino presso em no na perto cerca w we koło przy',
    'rental rentals hire rent location verhuur Verleih mieten leihen noleggio aluguer aluguel alquiler wypożyczalnia',
  ]
    .join(' ')
    .split(' ')
    .map(foldWords),
);

/** Folds words, without the `s` of plurals. */
function singular(words: string): string {
  return foldWords(words).replaceAll(/ ?s\b/g, '');
}

/**
 * Returns what is to rent, and the words that say where: `bikes in Milan`, `Fahrrad nahe Zug`, `skis Chamonix`.
 * Where a text does not begin with a kind, the kind is null, and all of it says where.
 */
export function wantedIn(text: string): { kind: Verticale | null; where: string } {
  const written = text.trim().split(/\s+/);
  for (let length = written.length; length > 0; length--) {
    const kind = KINDS.get(singular(written.slice(0, length).join(' ')));
    if (!kind) continue;
    let start = length;
    while (start < written.length - 1 && BETWEEN.has(foldWords(written[start] as string))) start++;
    return { kind, where: written.slice(start).join(' ') };
  }
  return { kind: null, where: text };
}

const DEGREES = String.raw`([-+]?\d{1,3}(?:\.\d+)?)\s*°?\s*`;
const COORDINATES = new RegExp(`^${DEGREES}([NS])?\\s*[,;\\s]\\s*${DEGREES}([EWO])?$`, 'i');

/** The sign of a longitude with an `O`: Ost and oost are the east, ouest, ovest and oeste the west. */
const SIGNS_OF_O: Readonly<Partial<Record<Language, number>>> = {
  de: 1,
  nl: 1,
  fr: -1,
  it: -1,
  es: -1,
  pt: -1,
};

/**
 * Returns the degrees that a text has, latitude first: `45.46, 9.19`, `45.46° N, 9.19° E`, `45,46; 9,19`;
 * null if it has none.
 * @param language of the reader: an `O` says nothing in another one
 */
export function coordinatesIn(
  text: string,
  language?: Language,
): { latitude: number; longitude: number } | null {
  // Commas are decimal where something else separates the two.
  const isDecimal = /^\s*[-+]?\d+,\d+\s*(?:°\s*[NS]?\s*)?[;\s]/i.test(text);
  const dotted = isDecimal ? text.replaceAll(/(\d),(\d)/g, '$1.$2') : text;
  const [, first, north, second, east = 'E'] = COORDINATES.exec(dotted.trim()) ?? [];
  if (first === undefined) return null;
  const latitude = Number(first) * (/s/i.test(north ?? '') ? -1 : 1);
  const ofO = language && SIGNS_OF_O[language];
  const longitude = Number(second) * ({ E: 1, W: -1, O: ofO }[east.toUpperCase()] ?? Number.NaN);
  const isOnEarth = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isOnEarth ? { latitude, longitude } : null;
}

/**
 * Returns the country among these that a text names in one of the eight languages; null if none is.
 * @param countries as stores write them
 * @param codes of countries by their names, as `countryNames` returns them
 */
export function countryNamed(
  text: string,
  countries: readonly string[],
  codes: ReadonlyMap<string, string>,
): string | null {
  const meaningOf = (name: string) => codes.get(foldWords(name)) ?? foldWords(name);
  const meant = meaningOf(text);
  return countries.find((country) => meant !== '' && meaningOf(country) === meant) ?? null;
}

/** Returns the codes of countries by their names, folded, in the eight languages. */
export const countryNames = (): ReadonlyMap<string, string> =>
  new Map(
    LANGUAGES.flatMap((language) => {
      const names = new Intl.DisplayNames(language, { type: 'region' });
      // A country has its former codes, too, and one name for all of them: the last one stands for it.
      return regionCodes().map((code) => [foldWords(names.of(code) ?? ''), code] as const);
    }),
  );

/** Returns the two-letter codes that `Intl` has a name for; it does not list them itself. */
function regionCodes(): string[] {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const english = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  return letters.flatMap((first) =>
    letters.map((second) => first + second).filter((code) => english.of(code) !== undefined),
  );
}
