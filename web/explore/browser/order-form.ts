/** How the list is ordered. */
import { act, state } from './current.ts';
import { find } from './dom.ts';
import { ORDERS, orderOf, ordersOf } from './state.ts';

const order = find('order', HTMLSelectElement);

order.onchange = () => act({ order: ORDERS.find((each) => each === order.value) ?? null });

export function showOrder(): void {
  const orders: readonly string[] = ordersOf(state);
  for (const option of order.options) option.hidden = !orders.includes(option.value);
  order.value = orderOf(state);
}
