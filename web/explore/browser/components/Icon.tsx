import { ICONS, type IconName } from '../model/icon-paths.ts';

/** Shows a picture that says nothing that is not said in words beside it. */
export const Icon = ({ name }: { readonly name: IconName }) => (
  <svg viewBox="0 0 24 24" aria-hidden="true">
    <path d={ICONS[name]} />
  </svg>
);
