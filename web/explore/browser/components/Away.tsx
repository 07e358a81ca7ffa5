import type { ComponentChildren } from 'preact';

/** Shows a link that leaves the site: in another tab, which learns nothing of this one. */
export const Away = ({
  to,
  class: className,
  children,
}: Readonly<{ to: string; class?: string; children: ComponentChildren }>) => (
  <a href={to} class={className} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);
