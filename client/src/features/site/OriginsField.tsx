import { hasFormat } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/site';
import { Field, Textarea } from '../../shared/ui/Field';

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

/**
 * Normalizes an origin as browsers do: lower case, no default port. Returns the text unchanged if it is more than an
 * origin.
 */
function originOf(text: string): string {
  const url = URL.parse(text);
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  // Without a path, a query, a fragment and credentials, the address is its origin and a slash.
  return web && url.href === `${url.origin}/` ? url.origin : text;
}

/** Returns a message with the first invalid line, which is more helpful than the message of the schema. */
export function originsProblem(text: string): string | undefined {
  const wrong = originsOf(text).find(each => !hasFormat('ORIGIN', each));
  if (wrong === undefined) return undefined;
  const origin = URL.parse(wrong)?.origin;
  // A copied address has a path, so suggest its origin.
  return origin !== undefined && hasFormat('ORIGIN', origin) ? t.origins.page(wrong, origin) : t.origins.wrong(wrong);
}
