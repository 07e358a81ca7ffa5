/** The pins of the map as pictures: what a store rents, or how it differs between two snapshots. */
import type { Map as MapLibreMap } from 'maplibre-gl';
import { ICONS, VERTICALE_ICONS } from './icon-paths.ts';
import type { Palette } from './map-palette.ts';
import { CHANGES, type Change } from './state.ts';

/** Pixels of the screen for each of the picture: sharp on good screens too. */
const RATIO = 2;

/** Pixels: how wide a pin is, how high with its tip, and what is left free around it. */
const WIDTH = 30;
const HEIGHT = 37;
const FREE = 2;

/** Pixels of the dot of a town. */
const DOT = 6;

/** What a pin may show. */
const KINDS = [...Object.keys(VERTICALE_ICONS), 'store', ...CHANGES] as const;

/** Puts the pictures into the map: `pin-` and `active-` with each kind, and the dot of a town. */
export function addPins(map: MapLibreMap, palette: Palette): void {
  const put = (name: string, image: ImageData) => {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio: RATIO });
  };
  for (const kind of KINDS) {
    const colour = palette.changes[kind as Change] ?? palette.store;
    put(`pin-${kind}`, drawPin(kind, colour, palette.ring));
    put(`active-${kind}`, drawPin(kind, palette.active, palette.ring));
  }
  put('town', drawDot(palette));
}

function drawPin(kind: string, colour: string, ring: string): ImageData {
  const [context, take] = canvas(WIDTH + 2 * FREE, HEIGHT + 2 * FREE);
  const radius = WIDTH / 2;
  const middle = radius + FREE;
  context.beginPath();
  // Three quarters of a circle, and the tip below.
  context.arc(middle, middle, radius, 0.8 * Math.PI, 0.2 * Math.PI);
  context.lineTo(middle, HEIGHT + FREE);
  context.closePath();
  context.fillStyle = colour;
  context.strokeStyle = ring;
  context.lineWidth = 2;
  context.lineJoin = 'round';
  context.fill();
  context.stroke();
  context.fillStyle = ring;
  const path = ICONS[kind as keyof typeof ICONS];
  if (path === undefined) {
    context.beginPath();
    context.arc(middle, middle, radius / 3, 0, 2 * Math.PI);
    context.fill();
    return take();
  }
  const scale = (WIDTH * 0.62) / 24;
  context.translate(middle - 12 * scale, middle - 12 * scale);
  context.scale(scale, scale);
  context.fill(new Path2D(path));
  return take();
}

function drawDot({ town, halo }: Palette): ImageData {
  const [context, take] = canvas(DOT + 2, DOT + 2);
  context.beginPath();
  context.arc(DOT / 2 + 1, DOT / 2 + 1, DOT / 2 - 0.5, 0, 2 * Math.PI);
  context.fillStyle = halo;
  context.strokeStyle = town;
  context.lineWidth = 1.5;
  context.fill();
  context.stroke();
  return take();
}

function canvas(width: number, height: number): [CanvasRenderingContext2D, () => ImageData] {
  const element = document.createElement('canvas');
  [element.width, element.height] = [width * RATIO, height * RATIO];
  const context = element.getContext('2d') as CanvasRenderingContext2D;
  context.scale(RATIO, RATIO);
  return [context, () => context.getImageData(0, 0, element.width, element.height)];
}
