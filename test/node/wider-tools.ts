/** What a test of a wider model uses of the product, bundled with other lists of words. */
export { compileRelease } from '../../scripts/compile/compile-release.ts';
export { MemorySink, MemorySpool } from '../../scripts/compile/release-output.ts';
export { SnapshotAnswers } from '../../scripts/view/snapshot-answers.ts';
export { sourceStoreSchema } from '../../src/model/source-store.ts';
