/** What the map is drawn with, by day and by night: its font, its colours, and the pictures of stores and towns. */
import { ICONS, type IconName } from '../model/icon-paths.ts';

/** Names of the browser's own fonts: no glyphs are loaded. */
export const FONT = ['Helvetica Neue', 'Arial', 'sans-serif'];

const COLOURS = {
  sea: ['#cbe2ec', '#0d171d'],
  land: ['#f7f4ec', '#1f2a31'],
  built: ['#e3dac6', '#2e3b43'],
  coast: ['#a9c7d5', '#36505d'],
  river: ['#a6cbdb', '#274350'],
  border: ['#b9aa98', '#566570'],
  country: ['#7c7061', '#9aa8b2'],
  town: ['#3d454c', '#cfd8de'],
  halo: ['#fffdf8e0', '#131b20e0'],
  store: ['#0f6674', '#5cc9d6'],
  /** A store that the pointer is on, or that is chosen. */
  active: ['#d9480f', '#ffa94d'],
  cluster: ['#0f6674', '#2b8796'],
  clusterText: ['#ffffff', '#ffffff'],
  ring: ['#ffffff', '#0d171d'],
} as const;

export type Palette = Readonly<Record<keyof typeof COLOURS, string>>;

export function paletteOf(isNight: boolean): Palette {
  const colours = Object.entries(COLOURS).map(([name, pair]) => [name, pair[Number(isNight)]]);
  return Object.fromEntries(colours) as Palette;
}

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
