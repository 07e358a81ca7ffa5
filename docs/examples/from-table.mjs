/**
 * Makes an export of a table (CSV), whose first line names the columns:
 *
 *     node docs/examples/from-table.mjs docs/examples/shops.csv > export.ndjson
 *
 * Put the names of your columns in the place of `row.number`, `row.hours` and so on. What the table does not
 * have is for --defaults. docs/source-format.md leads through it.
 */
import Papa from 'papaparse';
import {
  fail,
  geoOf,
  idOf,
  numberOf,
  openingRows,
  printStores,
  readInput,
  slugOf,
} from './store-parts.mjs';

/** The language of the table's texts. */
const LANGUAGE = 'en';

const trim = (cell) => cell.trim();
const { data, errors } = Papa.parse(readInput(), {
  header: true,
  skipEmptyLines: 'greedy',
  transformHeader: trim,
  transform: trim,
});
if (errors.length > 0) fail(`record ${errors[0].row + 1}: ${errors[0].message}`);

printStores(data, (row) => {
  const { name, street, city, country } = row;
  const id = idOf(row.number);
  const point = { lat: numberOf(row.lat), lng: numberOf(row.lng) };
  return {
    id,
    slug: slugOf(name, id),
    profile: { name, description: { [LANGUAGE]: [name, street, city].filter(Boolean).join(', ') } },
    geo: geoOf({ id, name, street, postalCode: row.postcode, city, country, ...point }),
    temporal: {
      // Undefined is left out, and so taken from the defaults.
      timezone: row.timezone || undefined,
      schedule: { openingHours: openingRows(row.hours) },
    },
    pageUrl: row.website || undefined,
  };
});
