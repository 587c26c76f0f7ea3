import { createLink } from '@tanstack/react-router';
import type { AnchorHTMLAttributes } from 'react';
import { Icon } from './Icon';

/** The way from one thing back to the list that it stands in, above the heading. */
export const BackLink = createLink(({ children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...rest} className="inline-flex items-center gap-1 justify-self-start text-sm text-muted hover:text-ink">
    <Icon name="left" className="size-4" />
    {children}
  </a>
));
