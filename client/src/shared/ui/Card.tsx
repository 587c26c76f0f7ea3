import type { HTMLAttributes, ReactNode } from 'react';
import { cx } from '../lib/class-names';

export function Card({ className, ...rest }: HTMLAttributes<HTMLDivElement>) {
  return <div {...rest} className={cx('rounded-card border border-line bg-surface shadow-card', className)} />;
}

export function Panel({
  id,
  title,
  description,
  actions,
  className,
  children,
}: {
  /** The target of links to the panel. */
  id?: string;
  title: string;
  description?: ReactNode;
  actions?: ReactNode;
  className?: string;
  children: ReactNode;
}) {
  return (
    <section id={id} aria-label={title} className="scroll-mt-20">
      <Card className={cx('p-5', className)}>
        <div className="flex flex-wrap items-start justify-between gap-3">
          <div className="min-w-0">
            <h2 className="font-semibold">{title}</h2>
            {description ? <p className="mt-0.5 text-sm text-muted">{description}</p> : null}
          </div>
          {actions}
        </div>
        <div className="mt-4">{children}</div>
      </Card>
    </section>
  );
}
