/**
 * Makes an export of the lines that document databases dump, with `$oid`, `$date` and `$numberLong`:
 *
 *     node docs/examples/from-documents.mjs docs/examples/shops.documents.ndjson > export.ndjson
 *
 * What the documents do not have is for --defaults.
 */
import { geoOf, idOf, printStores, readInput, slugOf } from './store-parts.mjs';

/** The types that JSON lacks, each an object with one key. */
const TYPES = {
  $oid: String,
  $date: (time) => new Date(time).toISOString(),
  $numberInt: Number,
  $numberLong: Number,
  $numberDouble: Number,
  $numberDecimal: Number,
};

function readType(_key, value) {
  const [[type, content] = []] = value === Object(value) ? Object.entries(value) : [];
  return Object.hasOwn(TYPES, type) ? TYPES[type](content) : value;
}

/** The database gives lists in no fixed order. */
const byStart = (a, b) => (a.id < b.id ? -1 : 1);

const lines = readInput().trim().split('\n');

printStores(lines, (line) => {
  const { _id, name, texts, address, position, hours, closures, url, createdAt } = JSON.parse(
    line,
    readType,
  );
  const id = idOf(_id);
  const [lng, lat] = position.coordinates;
  const languages = Object.keys(texts);
  const openingHours = hours.map(({ weekday, from, to }) => {
    return { id: `${weekday}-${from}`, day: String(weekday), from, to, open: true };
  });
  const closedRanges = closures.map(({ from, to }) => ({ id: from, from, to }));
  return {
    id,
    slug: slugOf(name, id),
    profile: { name, description: texts },
    localization: { default: languages[0], available: languages.toSorted() },
    geo: geoOf({ id, name, ...address, lat, lng }),
    temporal: {
      schedule: {
        openingHours: openingHours.toSorted(byStart),
        closedRanges: closedRanges.toSorted(byStart),
      },
    },
    metadata: { timestamps: { createdAt } },
    pageUrl: url,
  };
});
