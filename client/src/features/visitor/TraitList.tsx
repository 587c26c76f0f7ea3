import type { VisitorsQuery } from '../../generated/operations';
import { t } from '../../shared/i18n/en/visitor';

const MAX_SHOWN = 3;

/** The first traits; the page of the visitor shows all. */
export function TraitList({ traits }: { traits: VisitorsQuery['visitors']['nodes'][number]['traits'] }) {
  if (traits.length === 0) return '–';
  const hidden = traits.length - MAX_SHOWN;
  return (
    <span className="flex max-w-72 flex-wrap gap-1.5 text-sm">
      {traits.slice(0, MAX_SHOWN).map(({ key, value }) => (
        <span key={key} className="max-w-48 truncate rounded-md bg-sunken px-1.5 py-0.5">
          <span className="text-muted">{key}:</span> {value}
        </span>
      ))}
      {hidden > 0 ? <span className="py-0.5 text-muted">{t.moreTraits(hidden)}</span> : null}
    </span>
  );
}
