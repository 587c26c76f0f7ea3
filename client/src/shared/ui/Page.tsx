import { createLink } from '@tanstack/react-router';
import type { ReactNode, AnchorHTMLAttributes } from 'react';
import { Icon } from './Icon';

/** The frame of pages next to the navigation, which is limited for readability. */
export const PAGE_FRAME = 'mx-auto w-full max-w-6xl px-4 py-6 sm:px-8 sm:py-9';

/** The frame of a shared header, and of the editor. */
export const WIDE_FRAME = 'mx-auto max-w-[100rem]';

export function Page(props: PageProps) {
  return (
    <div className={PAGE_FRAME}>
      <Content {...props} heading="h1" />
    </div>
  );
}

export function PartPage(props: PageProps) {
  return (
    <PartFrame>
      <Content {...props} heading="h2" />
    </PartFrame>
  );
}

export function PartFrame({ children }: { children: ReactNode }) {
  return (
    <div className="px-4 py-6 sm:px-8 sm:py-9">
      <div className={WIDE_FRAME}>
        <div className="max-w-6xl">{children}</div>
      </div>
    </div>
  );
}

interface PageProps {
  title: ReactNode;
  description?: ReactNode;
  actions?: ReactNode;
  above?: ReactNode;
  children: ReactNode;
}

function Content({
  heading: Heading,
  title,
  description,
  actions,
  above,
  children,
}: PageProps & { heading: 'h1' | 'h2' }) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
      <div className="grid gap-1">
        {above}
        <header className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
          <div className="min-w-0 flex-1 basis-72">
            <Heading className="text-2xl font-semibold tracking-tight break-words">{title}</Heading>
            {description ? <p className="mt-1 max-w-2xl text-muted">{description}</p> : null}
          </div>
          {actions ? <div className="flex flex-wrap items-center gap-2">{actions}</div> : null}
        </header>
      </div>
      {children}
    </div>
  );
}

export const BackLink = createLink(({ children, ...rest }: AnchorHTMLAttributes<HTMLAnchorElement>) => (
  <a {...rest} className="inline-flex items-center gap-1 justify-self-start text-sm text-muted hover:text-ink">
    <Icon name="left" className="size-4" />
    {children}
  </a>
));
