/** Where the benchmark finds the project and keeps what it makes. */
import { join } from 'node:path';
import { PROJECT_FOLDER } from '../scripts/cli/platform.ts';

export const BENCH_FOLDER = join(PROJECT_FOLDER, 'bench');

/** Snapshots and bundles; not in the repository, safe to delete. */
export const CACHE_FOLDER = join(BENCH_FOLDER, '.cache');
