/** `GET /explore`: the store finder. Its header, and what its scripts need to know. */
import { html } from 'hono/html';
import { DOCS_PATH, EXPLORE_PATH, FAVICON_PATH } from '../../src/http/paths.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { BRAND, siteLinks } from '../site-header.ts';
import { TILE_LIST, TOWN_LIST } from './basemap/build-basemap.ts';

const SCRIPT = 'web/explore/browser/explore.tsx';
/** Sets the light before anything is painted, so it is no module. */
const THEME_SCRIPT = 'web/explore/browser/chosen-theme.ts';
const STYLE = 'web/explore/browser/explore.css';

/** MapLibre's worker has to be a file of its own: the policy of the page allows no other. */
const WORKER = 'node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs';

/** Scripts and styles, bundled one by one: paths in the project. What they share is split off. */
export const EXPLORE_SOURCES = [SCRIPT, THEME_SCRIPT, STYLE, WORKER];

/**
 * Writes the page.
 * @param url returns the path at which a source, or a file of the map, is served
 * @param shared paths of what its scripts share: on a slow line, files that only other files name come late
 */
export const explorePage = (url: (name: string) => string, shared: Iterable<string>): string =>
  String(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Find rental stores</title>
<link rel="icon" href="${FAVICON_PATH}" type="image/svg+xml">
<script src="${url(THEME_SCRIPT)}"></script>
<link rel="stylesheet" href="${url(STYLE)}">
<script type="module" src="${url(SCRIPT)}"></script>
${Array.from(shared, (path) => html`<link rel="modulepreload" href="${path}">`)}
</head>
<body>
<div id="skip-links"></div>
${header()}
<main id="explore" data-worker="${url(WORKER)}" data-tiles="${url(TILE_LIST)}" data-towns="${url(TOWN_LIST)}" data-fields="${FIELD_PATHS.join(' ')}">
<noscript><div class="no-scripts"><h1>This page needs scripts</h1>
<p>They draw its map and ask for its stores: allow scripts for it, and reload it. The <a href="${DOCS_PATH}">documentation</a> is read without them.</p></div></noscript>
</main>
</body>
</html>
`);

function header() {
  return html`<header class="bar">
${BRAND}
<button class="menu-button" popovertarget="menu">Menu</button>
<div id="menu" popover>
${siteLinks(EXPLORE_PATH)}
<token-control></token-control>
</div>
</header>`;
}
