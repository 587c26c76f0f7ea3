import { cx } from '../lib/class-names';

export type ButtonVariant = 'primary' | 'secondary' | 'ghost' | 'danger';
export type ButtonSize = 'small' | 'medium';

/** All look alike, because the color of an action promises that it works. */
const UNAVAILABLE =
  'unavailable:border-line unavailable:bg-sunken unavailable:text-muted unavailable:shadow-none unavailable:opacity-70';

const variants: Readonly<Record<ButtonVariant, string>> = {
  primary: `border border-transparent bg-brand text-on-brand hover:bg-brand-strong ${UNAVAILABLE}`,
  secondary: `border border-line bg-surface text-ink shadow-card hover:border-edge ${UNAVAILABLE}`,
  ghost: 'text-ink hover:bg-sunken unavailable:bg-transparent unavailable:opacity-55',
  danger: `border border-danger/40 bg-surface text-danger hover:bg-danger-soft ${UNAVAILABLE}`,
};

const sizes: Readonly<Record<ButtonSize, string>> = {
  small: 'min-h-8 gap-1.5 px-2.5 py-1 text-sm',
  medium: 'min-h-10 gap-2 px-4 py-2',
};

export const buttonStyle = (variant: ButtonVariant = 'secondary', size: ButtonSize = 'medium'): string =>
  cx(
    'inline-flex items-center justify-center rounded-control font-medium whitespace-nowrap transition-colors',
    'aria-disabled:cursor-not-allowed aria-busy:opacity-55',
    variants[variant],
    sizes[size],
  );
