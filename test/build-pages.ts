/** Before all tests: the pages that the Worker serves. */
export { ensurePages as setup } from '../web/build/ensure-pages.ts';
