/** How often an isolate looks whether another release is live. */
import type { Environment } from '../auth/token.ts';

/**
 * Milliseconds between two looks at the pointer, or at when publishing last ran. KV's edge cache
 * answers for 30 s without asking, so looking more often finds nothing new; a developer who publishes
 * wants to see it at once.
 */
export const REFRESH_INTERVAL: Readonly<Record<Environment, number>> = {
  development: 1_000,
  staging: 30_000,
  production: 30_000,
};
