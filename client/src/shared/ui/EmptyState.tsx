import type { ReactNode } from 'react';

export function EmptyState({
  title,
  heading: Heading = 'h2',
  action,
  children,
}: {
  title: string;
  /** `h1` for a whole page. */
  heading?: 'h1' | 'h2';
  action?: ReactNode;
  children: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-3 rounded-card border border-dashed border-edge/60 px-6 py-14 text-center">
      <Signpost />
      <Heading className="text-lg font-semibold">{title}</Heading>
      <div className="max-w-md text-muted">{children}</div>
      {action ? <div className="mt-2">{action}</div> : null}
    </div>
  );
}

function Signpost() {
  return (
    <svg viewBox="0 0 160 96" className="h-24 w-40" aria-hidden="true">
      <path d="M0 84c30-22 58-22 84-12s50 8 76-8v32H0z" className="fill-brand-soft" />
      <path d="M0 92c40-14 90-12 160-6v10H0z" className="fill-sunken" />
      <rect x="77" y="16" width="5" height="66" rx="2" className="fill-brand" />
      <path d="M52 22h44l11 9-11 9H52z" className="fill-signal" />
      <path d="M108 46H70l-9 8 9 8h38z" className="fill-brand" />
      <path
        d="M14 88c18-8 30-4 44-6s18-8 22-2"
        fill="none"
        strokeWidth="2"
        strokeDasharray="1 6"
        strokeLinecap="round"
        className="stroke-edge"
      />
    </svg>
  );
}
