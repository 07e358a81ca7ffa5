/** Zooms that the tiles are cut for, and the map is drawn by; a test compares the style with them. */

/** The tiles begin here, and the map goes no further away. */
export const MIN_ZOOM = 1;

/** Nearer there is nothing more to be seen. */
export const MAX_ZOOM = 14;

/** The zoom of the finest tiles. Tiles of zoom 5 would have more names than MapLibre takes in one. */
export const FINE_ZOOM = 6;

/** From this zoom on small towns are named. They are most of the map, so their tiles come when they are needed. */
export const SMALL_TOWN_ZOOM = 8;

/** How near the map goes to show a store. */
export const STORE_ZOOM = 12;
