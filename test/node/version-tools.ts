/** What a test of two format versions uses of the tools: as they are, and bundled as another version. */
export { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
export { KvTarget } from '../../scripts/publish/kv-target.ts';
export { publishRelease } from '../../scripts/publish/publish-release.ts';
export { readKeptReleases } from '../../scripts/releases/kept-releases.ts';
export { pruneReleases } from '../../scripts/releases/prune.ts';
export { pruneVersion } from '../../scripts/releases/prune-version.ts';
export { rollBack } from '../../scripts/releases/roll-back.ts';
export { compileRelease } from '../../src/compile/compile-release.ts';
export { MemorySink, MemorySpool } from '../../src/compile/release-output.ts';
export { SNAPSHOT_PREFIX } from '../../src/snapshot/keys.ts';
