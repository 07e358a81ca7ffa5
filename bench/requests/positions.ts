/** Where the searches of the benchmark start, in degrees. */

export interface Position {
  readonly latitude: number;
  readonly longitude: number;
}

/** Centres of towns with many stores around them. */
export const TOWNS: readonly Position[] = [
  { latitude: 48.8566, longitude: 2.3522 }, // Paris
  { latitude: 40.4168, longitude: -3.7038 }, // Madrid
  { latitude: 52.52, longitude: 13.405 }, // Berlin
  { latitude: 51.5072, longitude: -0.1276 }, // London
  { latitude: 45.4642, longitude: 9.19 }, // Milano
  { latitude: 52.2297, longitude: 21.0122 }, // Warszawa
];

/** Thinly settled regions of the same countries. */
export const COUNTRYSIDE: readonly Position[] = [
  { latitude: 45.95, longitude: 2.15 }, // Creuse
  { latitude: 40.6, longitude: -1.9 }, // Serranía de Cuenca
  { latitude: 53.4, longitude: 12.7 }, // Müritz
  { latitude: 54.6, longitude: -3.1 }, // Lake District
  { latitude: 40.4, longitude: 16.2 }, // Basilicata
  { latitude: 53.9, longitude: 22.6 }, // Suwalszczyzna
];
