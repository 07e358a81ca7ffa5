/** Colours of the map, by day and by night, and its font. */

/** Names of the browser's own fonts: no glyphs are loaded. */
export const FONT = ['Helvetica Neue', 'Arial', 'sans-serif'];

const COLOURS = {
  sea: ['#cbe2ec', '#0d171d'],
  land: ['#f7f4ec', '#1f2a31'],
  built: ['#e3dac6', '#2e3b43'],
  coast: ['#a9c7d5', '#36505d'],
  river: ['#a6cbdb', '#274350'],
  border: ['#b9aa98', '#566570'],
  country: ['#7c7061', '#9aa8b2'],
  town: ['#3d454c', '#cfd8de'],
  halo: ['#fffdf8e0', '#131b20e0'],
  store: ['#0f6674', '#5cc9d6'],
  /** A store that the pointer is on, or that is chosen. */
  active: ['#d9480f', '#ffa94d'],
  cluster: ['#0f6674', '#2b8796'],
  clusterText: ['#ffffff', '#ffffff'],
  ring: ['#ffffff', '#0d171d'],
} as const;

export type Palette = Readonly<Record<keyof typeof COLOURS, string>>;

export function paletteOf(isNight: boolean): Palette {
  const colours = Object.entries(COLOURS).map(([name, pair]) => [name, pair[Number(isNight)]]);
  return Object.fromEntries(colours) as Palette;
}
