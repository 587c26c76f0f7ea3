import type { ReactNode } from 'react';
import { t } from '../i18n/en/common';
import { Field, Input } from './Field';

/** A field for the slug of a tour or workspace. `slugFor` suggests its value from the name. */
export function SlugField({
  value,
  hint,
  error,
  onChange,
  onLeave,
}: {
  value: string;
  hint: ReactNode;
  error: string | undefined;
  onChange: (slug: string) => void;
  onLeave: () => void;
}) {
  return (
    <Field label={t.slug} error={error} hint={hint}>
      <Input
        value={value}
        onChange={event => onChange(event.target.value)}
        onBlur={onLeave}
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
      />
    </Field>
  );
}
