/** What a test of two format versions uses of the tools: as they are, and bundled as another version. */
export { SILENT_PROGRESS } from '../../scripts/cli/progress.ts';
export { compileRelease } from '../../scripts/compile/compile-release.ts';
export { MemorySink, MemorySpool } from '../../scripts/compile/release-output.ts';
export { deleteCollectable, findCollectable } from '../../scripts/release/collect.ts';
export { readKeptReleases } from '../../scripts/release/kept-releases.ts';
export { readHead } from '../../scripts/release/log.ts';
export { pruneVersion } from '../../scripts/release/prune-version.ts';
export { publishRelease } from '../../scripts/release/publish-release.ts';
export { resumePublishing, rollBack } from '../../scripts/release/roll-back.ts';
export { LocalKv } from '../../scripts/storage/local-kv.ts';
export { LocalR2 } from '../../scripts/storage/local-r2.ts';
export { SNAPSHOT_PREFIX } from '../../src/snapshot/keys.ts';
