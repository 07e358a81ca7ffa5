/**
 * The build command of wrangler, and `npm run web`: builds the pages unless their sources are unchanged.
 * wrangler waits for it at every start, so an unchanged site loads nothing else.
 */
import { isFresh } from './build/freshness.ts';

if (await isFresh()) console.log('The pages are up to date.');
else {
  const { buildPages } = await import('./build/build-site.ts');
  await buildPages();
  console.log('Built the pages.');
}
