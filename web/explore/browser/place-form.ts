/** Places that are not found by a name: where the user is, and degrees that are typed. */
import { find, tellFault } from './dom.ts';
import { clampRadius, FIRST_RADIUS, LARGEST_RADIUS, type Place, roundDegrees } from './state.ts';

/** The inputs, with what they take. */
const NUMBERS = [
  { id: 'latitude', name: 'Latitude', least: -90, most: 90 },
  { id: 'longitude', name: 'Longitude', least: -180, most: 180 },
  { id: 'radius', name: 'Radius', least: 0, most: LARGEST_RADIUS },
] as const;

/** Milliseconds that a browser may take to find out where it is. */
const PATIENCE = 10_000;

export interface PlaceFormEvents {
  readonly onPlace: (place: Place) => void;
  /** Told why there is no place. */
  readonly onFault: (fault: string) => void;
}

export class PlaceForm {
  private readonly popover = find('advanced', HTMLElement);
  private readonly nearMe = find('near-me', HTMLButtonElement);
  private readonly events: PlaceFormEvents;

  constructor(events: PlaceFormEvents) {
    this.events = events;
    this.nearMe.addEventListener('click', () => this.locate());
    find('advanced-form', HTMLFormElement).addEventListener('submit', (event) => {
      event.preventDefault();
      this.submit();
    });
  }

  /** Shows the degrees of the place that is searched around. */
  show(place: Place | null): void {
    const { latitude = '', longitude = '', radius = FIRST_RADIUS } = place ?? {};
    [latitude, longitude, radius].forEach((value, index) => {
      const { id } = NUMBERS[index] as (typeof NUMBERS)[number];
      find(id, HTMLInputElement).value = String(value);
      tellFault(id, '');
    });
  }

  private submit(): void {
    const numbers = NUMBERS.map(({ id, name, least, most }) => {
      const text = find(id, HTMLInputElement).value.trim().replace(',', '.');
      const number = text === '' ? Number.NaN : Number(text);
      const isGood = least <= number && number <= most;
      tellFault(id, isGood ? '' : `${name} is a number from ${least} to ${most}.`);
      return isGood ? number : null;
    });
    const [latitude, longitude, radius] = numbers;
    if (latitude == null || longitude == null || radius == null) {
      const wrong = NUMBERS[numbers.indexOf(null)];
      if (wrong) find(wrong.id, HTMLInputElement).focus();
      return;
    }
    this.popover.hidePopover();
    this.events.onPlace({ latitude, longitude, radius: clampRadius(radius), name: null });
  }

  private locate(): void {
    const { onPlace, onFault } = this.events;
    if (!navigator.geolocation) {
      onFault('This browser does not tell where you are. Type a town instead.');
      return;
    }
    this.nearMe.setAttribute('aria-busy', 'true');
    const end = () => this.nearMe.removeAttribute('aria-busy');
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => {
        end();
        const [latitude, longitude] = [
          roundDegrees(coords.latitude),
          roundDegrees(coords.longitude),
        ];
        onPlace({ latitude, longitude, radius: FIRST_RADIUS, name: 'Your position' });
      },
      () => {
        end();
        onFault('Your position is not known: the browser may not tell it. Type a town instead.');
      },
      { timeout: PATIENCE, maximumAge: 60_000 },
    );
  }
}
