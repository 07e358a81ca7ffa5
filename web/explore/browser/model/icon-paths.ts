/** Pictures as paths of SVG, 24 units wide and high. Nothing here needs a browser. */
import {
  mdiArrowLeft,
  mdiBicycleElectric,
  mdiBike,
  mdiCar,
  mdiCarabiner,
  mdiCrosshairsGps,
  mdiFerry,
  mdiKayaking,
  mdiMagnify,
  mdiMapMarker,
  mdiMoped,
  mdiMotorbike,
  mdiMower,
  mdiPartyPopper,
  mdiRowing,
  mdiScooterElectric,
  mdiSki,
  mdiSnowshoeing,
  mdiStar,
  mdiStorefront,
  mdiSurfing,
  mdiTools,
} from '@mdi/js';
import type { Verticale } from '../../../../src/model/enumerations.ts';

export const ICONS = {
  BIKE: mdiBike,
  ELECTRIC_BIKE: mdiBicycleElectric,
  MOPED: mdiMoped,
  MOTORCYCLE: mdiMotorbike,
  CAR: mdiCar,
  SCOOTER: mdiScooterElectric,
  SKI: mdiSki,
  CLIMBING: mdiCarabiner,
  SNOWSHOES: mdiSnowshoeing,
  SURF: mdiSurfing,
  PADDLE: mdiRowing,
  CANOE_KAYAK: mdiKayaking,
  BOAT: mdiFerry,
  EVENT: mdiPartyPopper,
  MOTOCULTURE: mdiMower,
  TOOLING: mdiTools,
  town: mdiMapMarker,
  store: mdiStorefront,
  search: mdiMagnify,
  near: mdiCrosshairsGps,
  back: mdiArrowLeft,
  star: mdiStar,
} as const satisfies Readonly<Record<Verticale, string>> & Readonly<Record<string, string>>;

export type IconName = keyof typeof ICONS;

/** Returns the picture of a store: of the first thing that it rents. */
export function iconOf([first]: readonly Verticale[]): IconName {
  return first ?? 'store';
}
