/** What a test of a wider model uses of the product, bundled with other lists of words. */
export { compileRelease } from '../../../scripts/compile/compile-release.ts';
export { sourceStoreSchema } from '../../../scripts/compile/source-store.ts';
export { answersFrom } from '../../../scripts/view/snapshot-answers.ts';
export { MemorySink, MemorySpool } from '../../support/stores/memory-output.ts';
