/** What lies on the map: stores, the circle that is searched, and the pins that are lifted out. */
import type { Feature, GeoJSON, Point as GeoPoint } from 'geojson';
import { GeoJSONSource, type Map as MapLibreMap } from 'maplibre-gl';
import { circleAround } from './circle.ts';
import { collection, lineFeature, outsideFeature, pointFeature } from './features.ts';
import type { FoundStore } from './found-store.ts';
import { iconOf } from './icon-paths.ts';
import type { Place } from './state.ts';
import type { MarkProperties } from './store-layers.ts';

/** What a pin is made of. */
export type Pin = Pick<FoundStore, 'point' | 'verticales' | 'change'>;

export class MapData {
  private readonly map: MapLibreMap;
  private readonly ready: Promise<void>;
  /** Data that waits for the style, by its source: only the last of each counts. */
  private readonly latest = new Map<string, GeoJSON>();

  /** @param ready settles once the map has its sources */
  constructor(map: MapLibreMap, ready: Promise<void>) {
    this.map = map;
    this.ready = ready;
  }

  /** Shows stores; those without a point have no pin. */
  showStores(stores: readonly FoundStore[]): void {
    const features: Feature<GeoPoint, MarkProperties>[] = [];
    const moves: Feature[] = [];
    for (const store of stores) {
      const { id, point, movedFrom } = store;
      if (!point) continue;
      features.push(pointFeature(point, { id, kind: kindOf(store) }));
      if (movedFrom) {
        moves.push(
          lineFeature([
            [movedFrom.lng, movedFrom.lat],
            [point.lng, point.lat],
          ]),
        );
      }
    }
    this.setData('stores', { type: 'FeatureCollection', features });
    this.setData('moves', { type: 'FeatureCollection', features: moves });
  }

  /** Draws the circle that is searched, and dims what lies outside. */
  showPlace(place: Place | null): void {
    const ring = place && circleAround(place);
    const middle = { lat: place?.latitude ?? 0, lng: place?.longitude ?? 0 };
    const features = ring ? [outsideFeature(ring, middle), lineFeature(ring)] : [];
    this.setData('search', collection(features));
  }

  /** Lifts the pin of a store out of the others. */
  showPin(role: 'hovered' | 'selected', pin: Pin | null): void {
    const features = pin?.point ? [pointFeature(pin.point, { kind: kindOf(pin) })] : [];
    this.setData(role, collection(features));
  }

  private setData(name: string, data: GeoJSON): void {
    const waits = this.latest.has(name);
    this.latest.set(name, data);
    if (waits) return;
    void this.ready.then(() => {
      const newest = this.latest.get(name);
      this.latest.delete(name);
      const source = this.map.getSource(name);
      if (newest && source instanceof GeoJSONSource) source.setData(newest);
    });
  }
}

/** What the pin of a store shows. */
const kindOf = ({ change, verticales }: Pin): string => change ?? iconOf(verticales);
