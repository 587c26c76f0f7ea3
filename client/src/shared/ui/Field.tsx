import type { ComponentProps, InputHTMLAttributes, ReactNode, SelectHTMLAttributes } from 'react';
import { createContext, use, useId, useMemo } from 'react';
import { t } from '../i18n/en/ui';
import { cx } from '../lib/class-names';

interface FieldIds {
  readonly control: string;
  readonly describedBy: string | undefined;
  readonly invalid: boolean;
}

const FieldContext = createContext<FieldIds | null>(null);

export function Field({
  label,
  hint,
  error,
  optional = false,
  name,
  className,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  error?: string | null | undefined;
  optional?: boolean;
  /** The name in the schema, for links to its problems. */
  name?: string;
  className?: string;
  children: ReactNode;
}) {
  const id = useId();
  const hintId = `${id}-hint`;
  const errorId = `${id}-error`;
  const describedBy = cx(Boolean(hint) && hintId, Boolean(error) && errorId) || undefined;
  const invalid = Boolean(error);
  const ids = useMemo(() => ({ control: id, describedBy, invalid }), [id, describedBy, invalid]);
  return (
    <div className={cx('grid content-start gap-1.5', className)} data-field={name}>
      <label htmlFor={id} className="flex items-baseline justify-between gap-2 text-sm font-medium">
        <span>{label}</span>
        {optional ? <span className="font-normal text-muted">{t.optional}</span> : null}
      </label>
      <FieldContext value={ids}>{children}</FieldContext>
      {error ? (
        <p id={errorId} className="text-sm text-danger">
          {withCode(error)}
        </p>
      ) : null}
      {hint ? (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      ) : null}
    </div>
  );
}

const withCode = (message: string): ReactNode =>
  // oxlint-disable-next-line react/no-array-index-key -- the parts of a message have no other keys
  message.split('`').map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));

export function useFieldControl(): { id?: string; 'aria-describedby'?: string; 'aria-invalid'?: true } {
  const field = use(FieldContext);
  if (!field) return {};
  return {
    id: field.control,
    ...(field.describedBy ? { 'aria-describedby': field.describedBy } : {}),
    ...(field.invalid ? { 'aria-invalid': true as const } : {}),
  };
}

export function Input({ className, ...rest }: ComponentProps<'input'>) {
  return <input {...useFieldControl()} {...rest} className={cx('control', className)} />;
}

export function Textarea({ className, ...rest }: ComponentProps<'textarea'>) {
  return <textarea {...useFieldControl()} {...rest} className={cx('control', className)} />;
}

/** Works with every keyboard, screen reader and phone. */
export function Select({ className, ...rest }: SelectHTMLAttributes<HTMLSelectElement>) {
  return <select {...useFieldControl()} {...rest} className={cx('control', className)} />;
}

export function Checkbox({
  label,
  hint,
  ...rest
}: Omit<InputHTMLAttributes<HTMLInputElement>, 'type'> & { label: ReactNode; hint?: ReactNode }) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5">
      <input
        {...rest}
        type="checkbox"
        id={id}
        aria-describedby={hint ? `${id}-hint` : undefined}
        className="mt-0.5 size-5 shrink-0"
      />
      <div>
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        {hint ? (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        ) : null}
      </div>
    </div>
  );
}
