/** The map once it is drawn: its library is loaded after the first stores were asked for. */
import { signal } from '@preact/signals';

/** Null until it is drawn, and where it cannot be. */
export const map = signal<typeof import('./map-view.ts') | null>(null);
