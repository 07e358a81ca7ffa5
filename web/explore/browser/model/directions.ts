/** A way to a point, in the map of the device. */
import type { Point } from './found.ts';

/** Returns the address of directions. @param device the browser's `navigator.userAgent` */
export function directionsTo({ lat, lng }: Point, name: string, device: string): string {
  // The app that the user has chosen opens these. No browser of a desk has one.
  if (/Android/.test(device))
    return `geo:${lat},${lng}?q=${lat},${lng}(${encodeURIComponent(name)})`;
  if (/iPhone|iPad|Macintosh/.test(device)) return `https://maps.apple.com/?daddr=${lat},${lng}`;
  return `https://www.openstreetmap.org/directions?to=${lat}%2C${lng}`;
}
