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
          onBlur={() => {
            // Shows the origins that are saved.
            onChange({ origins: originsOf(value).join('\n') });
            onLeave();
          }}
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

/** Returns the origins of the lines without repetitions, and lines without an origin unchanged. */
export const originsOf = (text: string): string[] => [
  ...new Set(
    text
      .split(/\s+/)
      .filter(each => each !== '')
      .map(originOf),
  ),
];

/**
 * Returns the origin as browsers write it: lower case, no default port. The copied address of a page has a path and
 * perhaps a query, which do not belong to the origin.
 */
function originOf(text: string): string {
  const plain = withoutWildcard(text);
  const url = URL.parse(plain);
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') return text;
  return plain === text ? url.origin : url.origin.replace('://', '://*.');
}

/** Names the first invalid line, which is more helpful than the message of the schema. */
export function originsProblem(text: string): string | undefined {
  const wrong = originsOf(text).find(each => !hasFormat('ORIGIN_PATTERN', each));
  return wrong === undefined ? undefined : t.origins.wrong(wrong);
}
