/**
 * `npm run web`, and the build command of wrangler: builds the pages for people, unless nothing that they
 * are made of has changed. wrangler waits for it at every start, so that case loads nothing else.
 */
import { isFresh } from './build/freshness.ts';

if (process.argv.length === 2 && (await isFresh())) console.log('The pages are up to date.');
else await import('./build/web-command.ts');
