import { signal } from '@preact/signals';
import type { StoreHours } from '../../../../client/src/index.ts';
import type { FoundStore } from '../model/found.ts';
import { openingHours, openingOf } from '../model/opening-words.ts';

const MINUTE = 60_000;

const now = signal(new Date());
setInterval(() => {
  now.value = new Date();
}, MINUTE);

/** Says whether a store is open, and until when; nothing where that is not known. */
export function OpeningWords({ of }: { readonly of: FoundStore }) {
  const opening = of.opening && openingOf(of.opening, now.value);
  if (!opening) return null;
  const { isOpen, next } = opening;
  return (
    <span class="opening">
      <span class={isOpen ? 'open' : 'closed'}>{isOpen ? 'Open' : 'Closed'}</span>
      {next && `${isOpen ? ' ' : ', '}${next}`}
    </span>
  );
}

/** Shows the coming week, today first, and the season and closures that change it. */
export function OpeningHours({ hours }: { readonly hours: StoreHours }) {
  const { timezone } = hours.temporal;
  const shown = openingHours(hours, new Date());
  if (!shown) return <p class="note">This browser does not know the time zone {timezone}.</p>;
  const { week, season, closures } = shown;
  return (
    <>
      <table class="week">
        <caption>{[season, `Times in ${timezone}`].filter(Boolean).join(' · ')}</caption>
        <tbody>
          {week.map(({ name, times }, index) => (
            <tr key={name} class={index === 0 ? 'today' : ''}>
              <th scope="row">{index === 0 ? 'Today' : name}</th>
              <td>{times}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {closures.length > 0 && <p>Closed {closures.join('; ')}</p>}
    </>
  );
}
