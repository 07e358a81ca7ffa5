/** How the list is ordered, and how far around a place is looked. */
import { act, state } from './current.ts';
import { find } from './dom.ts';
import { ORDERS, orderOf, ordersOf } from './state.ts';

const order = find('order', HTMLSelectElement);
const within = find('within', HTMLSelectElement);
const other = find('within-other', HTMLOptionElement);

order.onchange = () => act({ order: ORDERS.find((each) => each === order.value) ?? null });
within.onchange = () => {
  const { place } = state;
  if (place) act({ place: { ...place, radius: Number(within.value) } });
};

export function showOrder(): void {
  const orders: readonly string[] = ordersOf(state);
  for (const option of order.options) option.hidden = !orders.includes(option.value);
  order.value = orderOf(state);
  const { place } = state;
  find('within-label').hidden = place === null;
  if (!place) return;
  const radius = String(place.radius);
  // A radius of the user's own, typed under Advanced.
  other.value = radius;
  other.textContent = `${radius} km`;
  within.value = radius;
  other.hidden = within.selectedOptions[0] !== other;
}
