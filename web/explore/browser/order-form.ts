/** How the list is ordered, and how far around a place is looked. */
import { find } from './dom.ts';
import { type ExploreState, ORDERS, orderOf, ordersOf } from './state.ts';

export class OrderForm {
  private readonly order = find('order', HTMLSelectElement);
  private readonly within = find('within', HTMLSelectElement);
  private readonly other = find('within-other', HTMLOptionElement);
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
    const orders: readonly string[] = ordersOf(state);
    for (const option of this.order.options) option.hidden = !orders.includes(option.value);
    this.order.value = orderOf(state);
    const { place } = state;
    find('within-label', HTMLLabelElement).hidden = place === null;
    if (!place) return;
    const radius = String(place.radius);
    // A radius of the user's own, typed under Advanced.
    this.other.value = radius;
    this.other.textContent = `${radius} km`;
    this.within.value = radius;
    this.other.hidden = this.within.selectedOptions[0] !== this.other;
  }
}
