import { hasFormat } from '../../generated/traitql';
import { t } from '../../shared/i18n/en/site';
import { Checkbox, Field, Textarea } from '../../shared/ui/Field';

export function OriginsField({
  value,
  allowHttp,
  error,
  onChange,
  onLeave,
}: {
  value: string;
  allowHttp: boolean;
  error: string | undefined;
  onChange: (values: { origins: string } | { allowHttp: boolean }) => void;
  onLeave: () => void;
}) {
  return (
    <>
      <Field label={t.origins.label} error={error} hint={t.origins.hint}>
        <Textarea
          value={value}
          rows={3}
          spellCheck={false}
          autoCapitalize="none"
          className="font-mono"
          onChange={event => onChange({ origins: event.target.value })}
          onBlur={onLeave}
        />
      </Field>
      {allowHttp || originsOf(value).some(isInsecure) ? (
        <Checkbox
          label={t.origins.allowHttp}
          hint={t.origins.allowHttpHint}
          checked={allowHttp}
          onChange={event => onChange({ allowHttp: event.target.checked })}
        />
      ) : null}
    </>
  );
}

/** Replaces the wildcard of an origin, because URLs of some browsers cannot contain it. */
const withoutWildcard = (origin: string): string => origin.replace('://*.', '://');

const isInsecure = (origin: string): boolean =>
  hasFormat('ORIGIN_PATTERN', origin) && !hasFormat('ORIGIN', withoutWildcard(origin));

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
  const plain = withoutWildcard(text);
  const url = URL.parse(plain);
  const web = url?.protocol === 'https:' || url?.protocol === 'http:';
  // No path, query, fragment or credentials.
  if (!web || url.href !== `${url.origin}/`) return text;
  return plain === text ? url.origin : url.origin.replace('://', '://*.');
}

/** Names the first invalid line, which is more helpful than the message of the schema. */
export function originsProblem(text: string): string | undefined {
  const wrong = originsOf(text).find(each => !hasFormat('ORIGIN_PATTERN', each));
  if (wrong === undefined) return undefined;
  const origin = URL.parse(wrong)?.origin;
  // A copied address has a path, so suggest its origin.
  return origin !== undefined && hasFormat('ORIGIN_PATTERN', origin)
    ? t.origins.page(wrong, origin)
    : t.origins.wrong(wrong);
}
