import { hasFormat } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/site';
import { Field, Textarea } from '../../shared/ui/Field';

/** One origin per line, as people paste them. */
export function OriginsField({
  value,
  error,
  onChange,
  onLeave,
}: {
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
  onLeave: () => void;
}) {
  return (
    <Field label={t.origins.label} error={error} hint={t.origins.hint}>
      <Textarea
        value={value}
        rows={3}
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono"
        onChange={event => onChange(event.target.value)}
        onBlur={onLeave}
      />
    </Field>
  );
}

export const originsOf = (text: string): string[] =>
  text
    .split(/\s+/)
    .map(each => originOf(each.replace(/\/+$/, '')))
    .filter(each => each !== '');

/** Browsers write an origin in one way only: small letters, no usual port. Whatever says more than an origin stays. */
function originOf(text: string): string {
  const url = URL.parse(text);
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  // Without a path, a query, a fragment and a name, the address is its origin and a slash.
  return web && url.href === `${url.origin}/` ? url.origin : text;
}

/** Names the first line that is no origin: a list needs a better sentence than one value. */
export function originsProblem(text: string): string | undefined {
  const wrong = originsOf(text).find(each => !hasFormat('ORIGIN', each));
  if (wrong === undefined) return undefined;
  const origin = URL.parse(wrong)?.origin;
  // Whoever copies from the address bar brings a path: that sentence says what to write instead.
  return origin !== undefined && hasFormat('ORIGIN', origin) ? t.origins.page(wrong, origin) : t.origins.wrong(wrong);
}
