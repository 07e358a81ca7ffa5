/** Places that are not found by a name: where the user is, and degrees that are typed. */

import { find, tellFault } from './dom.ts';
import { lookAround } from './model/current.ts';
import {
  clampRadius,
  FIRST_RADIUS,
  LARGEST_RADIUS,
  type Place,
  roundDegrees,
} from './model/state.ts';

/** The inputs by their ids, with what they take. */
const NUMBERS = {
  latitude: { name: 'Latitude', least: -90, most: 90 },
  longitude: { name: 'Longitude', least: -180, most: 180 },
  radius: { name: 'Radius', least: 0, most: LARGEST_RADIUS },
} as const;

/** Milliseconds that a browser may take to find out where it is. */
const PATIENCE = 10_000;

const nearMe = find('near-me');

nearMe.onclick = locate;
find('advanced-form', HTMLFormElement).onsubmit = (event) => {
  event.preventDefault();
  const latitude = read('latitude');
  const longitude = read('longitude');
  const radius = read('radius');
  if (latitude === null || longitude === null || radius === null) {
    document.querySelector<HTMLElement>('#advanced-form [aria-invalid]')?.focus();
    return;
  }
  find('advanced').hidePopover();
  lookAround({ latitude, longitude, radius: clampRadius(radius), name: null });
};

/** Shows the degrees of the place that is searched around. */
export function showPlace(place: Place | null): void {
  const { latitude = '', longitude = '', radius = FIRST_RADIUS } = place ?? {};
  const shown = { latitude, longitude, radius };
  for (const [id, value] of Object.entries(shown)) {
    find(id, HTMLInputElement).value = String(value);
    tellFault(id, '');
  }
}

/** The number in an input, or null, and what is wrong is said beside it. */
function read(id: keyof typeof NUMBERS): number | null {
  const { name, least, most } = NUMBERS[id];
  const text = find(id, HTMLInputElement).value.trim().replace(',', '.');
  const number = Number(text);
  const isGood = text !== '' && least <= number && number <= most;
  tellFault(id, isGood ? '' : `${name} is a number from ${least} to ${most}.`);
  return isGood ? number : null;
}

function locate(): void {
  nearMe.ariaBusy = 'true';
  navigator.geolocation.getCurrentPosition(
    ({ coords }) => {
      nearMe.ariaBusy = null;
      const latitude = roundDegrees(coords.latitude);
      const longitude = roundDegrees(coords.longitude);
      lookAround({ latitude, longitude, radius: FIRST_RADIUS, name: 'Your position' });
    },
    () => {
      nearMe.ariaBusy = null;
      tellFault(
        'search',
        'Your position is not known: the browser may not tell it. Type a town instead.',
      );
    },
    { timeout: PATIENCE, maximumAge: 60_000 },
  );
}
