/** How the list is ordered, and how far around a place is looked. */
import { find, make } from './dom.ts';
import {
  type ExploreState,
  LARGEST_RADIUS,
  ORDERS,
  type Order,
  orderOf,
  ordersOf,
} from './state.ts';

const ORDER_NAMES: Readonly<Record<Order, string>> = {
  nearest: 'Nearest',
  fit: 'Best match',
  name: 'Name',
  rating: 'Rating',
};

/** Kilometres to choose from. */
const RADII = [5, 10, 20, LARGEST_RADIUS];

export class OrderForm {
  private readonly order = find('order', HTMLSelectElement);
  private readonly within = find('within', HTMLSelectElement);
  private state: ExploreState | null = null;

  constructor(onChange: (changed: Partial<ExploreState>) => void) {
    this.order.addEventListener('change', () =>
      onChange({ order: ORDERS.find((order) => order === this.order.value) ?? null }),
    );
    this.within.addEventListener('change', () => {
      const place = this.state?.place;
      if (place) onChange({ place: { ...place, radius: Number(this.within.value) } });
    });
  }

  show(state: ExploreState): void {
    this.state = state;
    fill(
      this.order,
      ordersOf(state).map((order) => [order, ORDER_NAMES[order]]),
    );
    this.order.value = orderOf(state);
    const { place } = state;
    find('within-label', HTMLLabelElement).hidden = place === null;
    if (!place) return;
    const radii = [...new Set([...RADII, place.radius])].sort((a, b) => a - b);
    fill(
      this.within,
      radii.map((radius) => [String(radius), `${radius} km`]),
    );
    this.within.value = String(place.radius);
  }
}

/** Options stay the same elements while they are the same. */
function fill(select: HTMLSelectElement, options: readonly (readonly [string, string])[]): void {
  const values = [...select.options].map(({ value }) => value).join();
  if (values === options.map(([value]) => value).join()) return;
  select.replaceChildren(...options.map(([value, text]) => make('option', { value }, text)));
}
