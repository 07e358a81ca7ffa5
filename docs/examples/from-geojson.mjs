/**
 * Makes an export of GeoJSON with the tags of OpenStreetMap:
 *
 *     node docs/examples/from-geojson.mjs docs/examples/shops.geojson > export.ndjson
 *
 * What the map does not have is for --defaults.
 */
import { geoOf, idOf, openingRows, printStores, readInput, slugOf } from './store-parts.mjs';

/** The language of the map's names. */
const LANGUAGE = 'en';

/** How many lists lie around the positions of a geometry. */
const DEPTH = { Point: 0, MultiPoint: 1, LineString: 1, Polygon: 2, MultiPolygon: 3 };

/** The middle of what a geometry covers: some shops are drawn as buildings. */
function middleOf({ type, coordinates }) {
  const positions = [coordinates].flat(DEPTH[type]);
  const [lng, lat] = [0, 1].map((axis) => {
    const values = positions.map((position) => position[axis]);
    // Seven digits are a centimetre.
    return Number(((Math.min(...values) + Math.max(...values)) / 2).toFixed(7));
  });
  return { lat, lng };
}

const { features } = JSON.parse(readInput());

printStores(features, ({ id: featureId, geometry, properties }) => {
  const { name, 'addr:city': city = '' } = properties;
  if (!name) throw new Error(`${featureId} has no name`);
  const key = featureId ?? properties['@id'];
  const id = idOf(key);
  const street = [properties['addr:street'], properties['addr:housenumber']].join(' ').trim();
  const address = { street, postalCode: properties['addr:postcode'], city };
  return {
    id,
    slug: slugOf(name, id),
    profile: { name, description: { [LANGUAGE]: [name, street, city].filter(Boolean).join(', ') } },
    geo: geoOf({
      id,
      name,
      ...address,
      country: properties['addr:country'],
      ...middleOf(geometry),
    }),
    temporal: { schedule: { openingHours: openingRows(properties.opening_hours) } },
    pageUrl: properties.website ?? `https://www.openstreetmap.org/${key}`,
  };
});
