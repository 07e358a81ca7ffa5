/** The pins of the map as pictures: what a store rents. */
import type { Map as MapLibreMap } from 'maplibre-gl';
import { ICONS, VERTICALE_ICONS } from '../model/icon-paths.ts';
import type { Palette } from './map-palette.ts';

/** Pixels of the screen for each of the picture: sharp on good screens too. */
const RATIO = 2;

/** Pixels of a pin with what is left free around it. */
const [WIDTH, HEIGHT] = [34, 41];

/** Three quarters of a circle, and the tip below. */
const PIN = new Path2D('M4.86 25.82A15 15 0 1 1 29.14 25.82L17 39Z');

/** Where the picture lies in a pin, and how small it is there. */
const INSET = 7.7;
const SCALE = 0.775;

/** What a pin may show. */
const PICTURES = { ...VERTICALE_ICONS, store: ICONS.store };

/** Puts the pictures into the map: `pin-` and `active-` with each kind, and the dot of a town. */
export function addPins(map: MapLibreMap, palette: Palette): void {
  const put = (name: string, image: ImageData) => {
    if (map.hasImage(name)) map.updateImage(name, image);
    else map.addImage(name, image, { pixelRatio: RATIO });
  };
  for (const [kind, picture] of Object.entries(PICTURES)) {
    put(`pin-${kind}`, drawPin(picture, palette.store, palette.ring));
    put(`active-${kind}`, drawPin(picture, palette.active, palette.ring));
  }
  put('town', drawTown(palette));
}

function drawPin(picture: string, colour: string, ring: string): ImageData {
  return draw(WIDTH, HEIGHT, (context) => {
    context.fillStyle = colour;
    context.strokeStyle = ring;
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.fill(PIN);
    context.stroke(PIN);
    context.translate(INSET, INSET);
    context.scale(SCALE, SCALE);
    context.fillStyle = ring;
    context.fill(new Path2D(picture));
  });
}

function drawTown({ town, halo }: Palette): ImageData {
  return draw(8, 8, (context) => {
    context.fillStyle = halo;
    context.strokeStyle = town;
    context.lineWidth = 1.5;
    context.arc(4, 4, 2.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });
}

function draw(
  width: number,
  height: number,
  paint: (context: OffscreenCanvasRenderingContext2D) => void,
): ImageData {
  const canvas = new OffscreenCanvas(width * RATIO, height * RATIO);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.scale(RATIO, RATIO);
  paint(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
