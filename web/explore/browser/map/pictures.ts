/** The pictures of stores and towns, in the colours of the style. */
import { ICONS, type IconName } from '../model/icon-paths.ts';
import type STYLE from './style.json';

/** The colours, by their names in the style's `state`. */
export type Palette = Readonly<Record<keyof typeof STYLE.state, string>>;

/** Pixels of the screen for each of the picture: sharp on good screens too. */
export const RATIO = 2;

/** Pixels of a pin with what is left free around it. */
const [WIDTH, HEIGHT] = [34, 41];

/** Three quarters of a circle, and the tip below. */
const PIN = new Path2D('M4.86 25.82A15 15 0 1 1 29.14 25.82L17 39Z');

/** Where the picture lies in a pin, and how small it is there. */
const INSET = 7.7;
const SCALE = 0.775;

/**
 * Draws a picture of the map by its name there: `town` is the dot of a town; `pin-BIKE` the pin of a store
 * that rents bikes, `active-BIKE` the pin of such a store that is chosen, or that the pointer is on.
 */
export function drawPicture(name: string, palette: Palette): ImageData {
  if (name === 'town') return drawTown(palette);
  const [role, icon] = name.split('-');
  const colour = role === 'active' ? palette.active : palette.store;
  return drawPin(icon as IconName, colour, palette.ring);
}

function drawPin(icon: IconName, colour: string, ring: string): ImageData {
  return paint(WIDTH, HEIGHT, (context) => {
    context.fillStyle = colour;
    context.strokeStyle = ring;
    context.lineWidth = 2;
    context.lineJoin = 'round';
    context.fill(PIN);
    context.stroke(PIN);
    context.fillStyle = ring;
    context.translate(INSET, INSET);
    context.scale(SCALE, SCALE);
    context.fill(new Path2D(ICONS[icon]));
  });
}

function drawTown({ town, halo }: Palette): ImageData {
  return paint(8, 8, (context) => {
    context.fillStyle = halo;
    context.strokeStyle = town;
    context.lineWidth = 1.5;
    context.arc(4, 4, 2.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  });
}

function paint(
  width: number,
  height: number,
  onto: (context: OffscreenCanvasRenderingContext2D) => void,
): ImageData {
  const canvas = new OffscreenCanvas(width * RATIO, height * RATIO);
  const context = canvas.getContext('2d') as OffscreenCanvasRenderingContext2D;
  context.scale(RATIO, RATIO);
  onto(context);
  return context.getImageData(0, 0, canvas.width, canvas.height);
}
