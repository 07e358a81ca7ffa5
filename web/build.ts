/**
 * The build command of wrangler, and `npm run web`: builds the pages for people, unless nothing that they are
 * made of has changed. wrangler waits for it at every start, so that case loads nothing else.
 */
import { isFresh } from './build/freshness.ts';

if (await isFresh()) console.log('The pages are up to date.');
else {
  const { buildPages } = await import('./build/build-site.ts');
  await buildPages();
  console.log('Built the pages.');
}
