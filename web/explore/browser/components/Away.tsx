import type { ComponentChildren } from 'preact';

/**
 * Shows a link that leaves the site: in another tab, which learns nothing of this one. Shows nothing where the
 * address is none of a page or an app of maps: stores write what they like.
 */
export const Away = ({
  to,
  class: className,
  children,
}: Readonly<{ to: string; class?: string; children: ComponentChildren }>) =>
  /^(https?|geo):/i.test(to) && (
    <a href={to} class={className} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
