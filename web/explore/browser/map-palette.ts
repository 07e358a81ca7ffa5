/** Colours of the map, by day and by night, and its font. */
import type { Change } from './state.ts';

/** Names of the browser's own fonts: no glyphs are loaded. */
export const FONT = ['Helvetica Neue', 'Arial', 'sans-serif'];

export interface Palette {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly river: string;
  readonly border: string;
  readonly country: string;
  readonly town: string;
  readonly halo: string;
  readonly store: string;
  /** A store that the pointer is on, or that is chosen. */
  readonly active: string;
  readonly cluster: string;
  readonly clusterText: string;
  readonly ring: string;
  readonly outside: string;
  readonly changes: Readonly<Record<Change, string>>;
}

export const DAY: Palette = {
  sea: '#cbe2ec',
  land: '#f7f4ec',
  coast: '#a9c7d5',
  river: '#a6cbdb',
  border: '#b9aa98',
  country: '#7c7061',
  town: '#3d454c',
  halo: '#fffdf8e0',
  store: '#0f6674',
  active: '#d9480f',
  cluster: '#0f6674',
  clusterText: '#ffffff',
  ring: '#ffffff',
  outside: '#33434c',
  changes: {
    added: '#15803d',
    removed: '#b91c1c',
    moved: '#1d4ed8',
    changed: '#b45309',
    unchanged: '#7f8790',
  },
};

export const NIGHT: Palette = {
  sea: '#0d171d',
  land: '#1f2a31',
  coast: '#36505d',
  river: '#274350',
  border: '#566570',
  country: '#9aa8b2',
  town: '#cfd8de',
  halo: '#131b20e0',
  store: '#5cc9d6',
  active: '#ffa94d',
  cluster: '#2b8796',
  clusterText: '#ffffff',
  ring: '#0d171d',
  outside: '#000000',
  changes: {
    added: '#4ade80',
    removed: '#f87171',
    moved: '#7eb3ff',
    changed: '#fbbf24',
    unchanged: '#8a949e',
  },
};
