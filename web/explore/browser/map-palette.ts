/** Colours of the map, by day and by night, and its font. */
import type { ExpressionSpecification } from 'maplibre-gl';
import { CHANGES, type Change } from './state.ts';

/** Names of the browser's own fonts: no glyphs are loaded. */
export const FONT = ['system-ui', 'sans-serif'];

export interface Palette {
  readonly sea: string;
  readonly land: string;
  readonly coast: string;
  readonly border: string;
  readonly country: string;
  readonly town: string;
  readonly halo: string;
  readonly store: string;
  readonly open: string;
  readonly closed: string;
  readonly cluster: string;
  readonly clusterText: string;
  readonly ring: string;
  readonly search: string;
  readonly changes: Readonly<Record<Change, string>>;
}

export const DAY: Palette = {
  sea: '#d5e3ee',
  land: '#f8f6f1',
  coast: '#b3c4d2',
  border: '#bdb3a5',
  country: '#8a8178',
  town: '#4b5158',
  halo: '#ffffffd9',
  store: '#c2381f',
  open: '#15803d',
  closed: '#7b828c',
  cluster: '#1f4e79',
  clusterText: '#ffffff',
  ring: '#ffffff',
  search: '#1f4e79',
  changes: {
    added: '#15803d',
    removed: '#b91c1c',
    moved: '#1d4ed8',
    changed: '#b45309',
    unchanged: '#8b929b',
  },
};

export const NIGHT: Palette = {
  sea: '#10181f',
  land: '#222b33',
  coast: '#3a4955',
  border: '#52606c',
  country: '#8d9aa6',
  town: '#c3ccd4',
  halo: '#151b21d9',
  store: '#ff7a59',
  open: '#4ade80',
  closed: '#7d8894',
  cluster: '#8ec5f5',
  clusterText: '#0c1720',
  ring: '#10181f',
  search: '#8ec5f5',
  changes: {
    added: '#4ade80',
    removed: '#f87171',
    moved: '#7eb3ff',
    changed: '#fbbf24',
    unchanged: '#7d8894',
  },
};

/** The colour of a mark by what it stands for. */
export function markColour({ store, open, closed, changes }: Palette): ExpressionSpecification {
  const words = CHANGES.flatMap((change) => [change, changes[change]]);
  return [
    'match',
    ['get', 'kind'],
    'open',
    open,
    'closed',
    closed,
    ...(words as [string, string]),
    store,
  ];
}
