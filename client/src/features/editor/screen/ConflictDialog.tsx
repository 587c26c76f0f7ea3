import { useId, useState } from 'react';
import type { ThemesQuery } from '../../../generated/operations';
import { t } from '../../../shared/i18n/en/editor';
import { Button } from '../../../shared/ui/Button';
import { Actions, Dialog } from '../../../shared/ui/Dialog';
import { TextDiff } from '../../../shared/ui/TextDiff';
import { differences, isConflict, merge, type Difference, type Side } from '../../tour/difference';
import type { DraftContent, SavedDraft } from '../../tour/draft';
import { formatDifference, type FormattedDifference } from '../../tour/format-difference';

type Themes = NonNullable<ThemesQuery['workspace']>['themes'];

export function ConflictDialog({
  base,
  mine,
  theirs,
  themes,
  onResolve,
  onLater,
}: {
  base: SavedDraft;
  mine: DraftContent;
  theirs: SavedDraft;
  themes: Themes;
  onResolve: (content: DraftContent) => void;
  /** Saving stays paused. */
  onLater: () => void;
}) {
  const parts = differences(base.content, mine, theirs.content);
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const conflicts = parts.filter(isConflict);
  const others = parts.filter(each => !isConflict(each));
  const chooseAll = (side: Side) =>
    setChoices({ ...choices, ...Object.fromEntries(conflicts.map(({ id }) => [id, side])) });
  const versions = { base: base.content, mine, theirs: theirs.content };
  const themeName = (id: string | null) => themes.find(each => each.id === id)?.name ?? t.rules.default;
  const choice = (difference: Difference) => (
    <Choice
      key={difference.id}
      formatted={formatDifference(difference, versions, themeName)}
      author={theirs.author}
      value={choices[difference.id] ?? difference.proposal}
      onChange={side => setChoices({ ...choices, [difference.id]: side })}
    />
  );
  return (
    <Dialog
      open
      wide
      onOpenChange={onLater}
      title={t.conflict.title(theirs.author)}
      description={conflicts.length === 0 ? t.conflict.noConflicts : t.conflict.conflicts(conflicts.length)}
    >
      {conflicts.length > 1 ? (
        <div className="mb-4 flex flex-wrap gap-2">
          <Button size="small" onClick={() => chooseAll('mine')}>
            {t.conflict.keepAllMine(theirs.author)}
          </Button>
          <Button size="small" onClick={() => chooseAll('theirs')}>
            {t.conflict.keepAllTheirs(theirs.author)}
          </Button>
        </div>
      ) : null}
      <ul aria-label={t.conflict.byBoth} className="grid gap-5">
        {conflicts.map(choice)}
      </ul>
      {others.length > 0 ? (
        <details className="mt-5 rounded-control border border-line">
          <summary className="rounded-control px-3 py-2.5 text-sm font-medium">
            {t.conflict.others(others.length)}
          </summary>
          <ul aria-label={t.conflict.byOne} className="grid gap-5 border-t border-line p-3">
            {others.map(choice)}
          </ul>
        </details>
      ) : null}
      <Actions>
        <Button onClick={onLater}>{t.conflict.later}</Button>
        <Button variant="primary" onClick={() => onResolve(merge(mine, theirs.content, parts, choices))}>
          {t.conflict.save}
        </Button>
      </Actions>
    </Dialog>
  );
}

function Choice({
  formatted,
  author,
  value,
  onChange,
}: {
  formatted: FormattedDifference;
  author: string | null;
  value: Side;
  onChange: (side: Side) => void;
}) {
  const group = useId();
  const heading = [formatted.subject, formatted.field].filter(Boolean).join(' · ');
  const sides = [
    { side: 'mine', name: t.conflict.mine(author), text: formatted.mine },
    { side: 'theirs', name: t.conflict.theirs(author), text: formatted.theirs },
  ] as const;
  return (
    <li>
      <fieldset className="min-w-0">
        <legend className="font-medium">{heading}</legend>
        {formatted.before === null ? null : (
          <p className="mt-0.5 text-sm break-words whitespace-pre-line text-muted">
            {t.conflict.before(formatted.before || t.conflict.nothing)}
          </p>
        )}
        <div className="mt-2 grid gap-2 sm:grid-cols-2">
          {sides.map(({ side, name, text }) => (
            <label
              key={side}
              className="grid min-w-0 cursor-pointer grid-cols-[auto_minmax(0,1fr)] content-start gap-x-2.5 rounded-control border border-line p-3 hover:border-edge has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus"
            >
              <input
                type="radio"
                name={group}
                checked={value === side}
                onChange={() => onChange(side)}
                className="mt-1 size-4 shrink-0 outline-none"
              />
              <span className="text-sm/6 font-semibold">{name}</span>
              <span className="col-start-2 break-words whitespace-pre-line">
                {formatted.isFreeText ? <TextDiff before={formatted.before ?? ''} after={text} /> : text || '–'}
              </span>
            </label>
          ))}
        </div>
      </fieldset>
    </li>
  );
}
