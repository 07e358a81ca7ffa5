/** `GET /explore`: stores on a map. The form lists what the service knows, so that no script has to. */
import { DOCS_PATH } from '../../src/http/paths.ts';
import { LANGUAGES, VERTICALES } from '../../src/model/enumerations.ts';
import { FIELD_PATHS } from '../../src/model/field-paths.ts';
import { SORT_FIELDS } from '../../src/model/sort-fields.ts';
import { type Html, html } from '../html.ts';
import { framePage } from '../page.ts';
import type { PageSource } from '../site.ts';
import { buildBasemap, TILE_LIST } from './basemap/build-basemap.ts';
import { isNeeded } from './browser/request.ts';
import { CHANGES, LARGEST_RADIUS } from './browser/state.ts';

const SCRIPT = 'web/explore/browser/explore.ts';
const STYLE = 'web/explore/browser/explore.css';

/** MapLibre's worker has to be a file of its own: the policy of the page allows no other. */
const WORKER = 'node_modules/maplibre-gl/dist/maplibre-gl-worker.mjs';

export const explorePage: PageSource = {
  sources: [SCRIPT, STYLE, WORKER],
  generate: buildBasemap,
  generatedFrom: [
    'web/explore/basemap',
    // They name the files; the map itself comes in packages.
    ...['web/hashed-path.ts', 'src/http/paths.ts', 'package-lock.json'],
  ],
  make: ({ url }) =>
    framePage({
      title: 'Explore rental stores',
      styles: [url(STYLE)],
      scripts: [url(SCRIPT)],
      content: html`<header class="bar">
<h1>Explore rental stores</h1>
<p id="source-name"></p>
<a href="${DOCS_PATH}" id="docs-link">Documentation</a>
</header>
<main id="explore" data-source="service" data-worker="${url(WORKER)}" data-tiles="${url(TILE_LIST)}">
<div id="controls">
${tokenForm()}
${searchForm()}
</div>
${mapSection()}
${resultsSection()}
</main>`,
    }),
};

function tokenForm(): Html {
  return html`<form id="token-form" class="card" autocomplete="off" hidden>
<label for="token">Access token</label>
<div class="row">
<input id="token" type="password" autocomplete="off" spellcheck="false" autocapitalize="off" required aria-describedby="token-note token-fault">
<button type="submit" class="main">Show stores</button>
</div>
<p id="token-note" class="note">It stays in the memory of this page until you close it: it is not stored, and never part of the address. <a href="${DOCS_PATH}">Where to get one</a></p>
<p id="token-fault" class="fault" role="alert"></p>
</form>
<p id="token-in-use" class="card row" hidden><span>Your token is in use.</span> <button type="button" id="forget-token">Forget it</button></p>`;
}

function searchForm(): Html {
  return html`<details id="search-box" class="card" open>
<summary>Search</summary>
<form id="search-form" autocomplete="off">
<fieldset id="changes" class="choices" hidden>
<legend>Compared with the first snapshot</legend>
${CHANGES.map(
  (change) =>
    html`<label class="change-${change}"><input type="checkbox" name="changes" value="${change}"> ${capitalize(change)} <output id="count-${change}"></output></label>\n`,
)}</fieldset>
${positionFields()}
<div class="row">
<label>Language <select id="lang"><option value="">each store’s own</option>${LANGUAGES.map(
    (language) => html`<option value="${language}">${languageName(language)}</option>`,
  )}</select></label>
<label>Opening hours <select id="opening"><option value="ignore">do not look</option><option value="mark">mark open and closed</option><option value="open">open stores only</option></select></label>
</div>
<label id="at-label" hidden>Open at <input id="at" type="datetime-local"> <span class="note">your time; empty: now</span></label>
<div class="row">
<label>Order <select id="sort"><option value="">by distance or id</option>${Object.keys(
    SORT_FIELDS,
  ).map((field) => html`<option value="${field}">${field}</option>`)}</select></label>
<label>Direction <select id="direction"><option value="__asc">ascending</option><option value="__desc">descending</option></select></label>
</div>
${rentFields()}
${fieldChoice()}
</form>
</details>`;
}

function positionFields(): Html {
  return html`<fieldset class="position">
<legend>Near a place <span class="note">click the map, or type degrees</span></legend>
<div class="row thirds">
<label>Latitude <input id="latitude" inputmode="decimal" size="9" placeholder="48.8566"></label>
<label>Longitude <input id="longitude" inputmode="decimal" size="9" placeholder="2.3522"></label>
<label>Radius, km <input id="radius-number" inputmode="decimal" size="4"></label>
</div>
<input id="radius" type="range" min="0" max="${LARGEST_RADIUS}" step="0.5" aria-label="Radius in kilometres">
<div class="row buttons">
<button type="button" id="search-here">Around the map’s middle</button>
<button type="button" id="clear-position">Everywhere</button>
</div>
</fieldset>`;
}

function rentFields(): Html {
  return html`<details class="choices">
<summary>What they rent: <output id="verticales-chosen">anything</output></summary>
<label>Stores that rent <select id="verticale-filter"><option value="in">any of these</option><option value="notIn">none of these</option></select></label>
<fieldset class="columns">
<legend class="unseen">What they rent</legend>
${VERTICALES.map(
  (verticale) =>
    html`<label><input type="checkbox" name="verticales" value="${verticale}"> ${words(verticale)}</label>\n`,
)}</fieldset>
</details>`;
}

function fieldChoice(): Html {
  return html`<details class="choices">
<summary>Fields of the answer: <output id="fields-chosen"></output></summary>
<p class="note">What list and map need is always asked for. Other fields are in the answer below the map, for the first hundred stores.</p>
<label>Find a field <input id="find-field" type="search"></label>
<fieldset class="columns fields">
<legend class="unseen">Fields</legend>
${FIELD_PATHS.map((path) =>
  isNeeded(path)
    ? html`<label><input type="checkbox" value="${path}" checked disabled> ${path}</label>\n`
    : html`<label><input type="checkbox" name="fields" value="${path}"> ${path}</label>\n`,
)}</fieldset>
</details>`;
}

function mapSection(): Html {
  return html`<section id="stage" aria-label="Map">
<div id="map"></div>
<p id="map-fault" class="fault" hidden>This browser cannot draw the map (it has no WebGL). The list works without it.</p>
<p class="credits">Land and borders: <a href="https://www.naturalearthdata.com/" rel="noreferrer">Natural Earth</a>. Towns: <a href="https://www.geonames.org/" rel="noreferrer">GeoNames</a>, <a href="https://creativecommons.org/licenses/by/4.0/" rel="noreferrer">CC BY 4.0</a>. Drawn by <a href="https://maplibre.org/" rel="noreferrer">MapLibre</a>.</p>
<details id="request-panel">
<summary><span id="request-line">The request</span> <span id="request-figures"></span></summary>
<div class="tabs">
<div role="tablist" aria-label="The request">
<button type="button" role="tab" id="tab-curl" aria-controls="request-text" aria-selected="true">curl</button>
<button type="button" role="tab" id="tab-code" aria-controls="request-text" aria-selected="false" tabindex="-1">TypeScript</button>
<button type="button" role="tab" id="tab-answer" aria-controls="request-text" aria-selected="false" tabindex="-1">Answer</button>
</div>
<button type="button" id="copy">Copy</button>
</div>
<pre id="request-text" role="tabpanel" tabindex="0" aria-labelledby="tab-curl"></pre>
</details>
</section>`;
}

function resultsSection(): Html {
  return html`<section id="results" aria-labelledby="results-title">
<div class="results-head">
<h2 id="results-title">Stores</h2>
<p id="status" role="status"></p>
<label class="row"><input type="checkbox" id="only-in-view"> Only what the map shows</label>
</div>
<p id="search-fault" class="fault" role="alert"></p>
<ol id="list"></ol>
<div class="row buttons">
<button type="button" id="more" hidden>Show more</button>
<button type="button" id="load-more" hidden>Load more</button>
</div>
<article id="detail" hidden aria-label="Store"></article>
</section>`;
}

const LANGUAGE_NAMES = new Intl.DisplayNames('en', { type: 'language' });

const languageName = (language: string): string =>
  `${LANGUAGE_NAMES.of(language) ?? language} (${language})`;

/** `ELECTRIC_BIKE` as people write it. */
const words = (verticale: string): string =>
  capitalize(verticale.toLowerCase().replaceAll('_', ' '));

const capitalize = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
