import type { ComponentChildren } from 'preact';

interface AwayProps {
  readonly to: string;
  readonly class?: string;
  readonly children: ComponentChildren;
}

/** Shows a link that leaves the site: in another tab, which learns nothing of this one. */
export const Away = ({ to, class: className, children }: AwayProps) => (
  <a href={to} class={className} target="_blank" rel="noopener noreferrer">
    {children}
  </a>
);
