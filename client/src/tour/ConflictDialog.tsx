import { useState } from 'react';
import type { ThemesQuery } from '../generated/operations';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Actions, Dialog } from '../ui/Dialog';
import { Segments } from '../ui/Segments';
import { differences, merge, stepChanges, type Change, type PartDifference, type Side } from './difference';
import type { DraftContent, SavedDraft } from './draft';
import { startSentence } from './start-sentence';

type Themes = NonNullable<ThemesQuery['workspace']>['themes'];

/** Somebody else saved meanwhile: shows in what the two differ, and lets the person choose part by part or as a whole. */
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
  /** Closes the dialog; nothing is saved until somebody has chosen. */
  onLater: () => void;
}) {
  const parts = differences(base.content, mine, theirs.content);
  const [choices, setChoices] = useState<Readonly<Record<string, Side>>>({});
  const all = (side: Side) => setChoices(Object.fromEntries(parts.map(({ part }) => [part, side])));
  return (
    <Dialog
      open
      wide
      onOpenChange={onLater}
      title={`${theirs.author} saved a newer version`}
      description="Nothing is lost yet. Choose whose change to keep, part by part or for all of them; where only one of you changed something, that is chosen already."
    >
      <div className="flex flex-wrap gap-2">
        <Button size="small" onClick={() => all('mine')}>
          Mine everywhere
        </Button>
        <Button size="small" onClick={() => all('theirs')}>
          {`${theirs.author}’s everywhere`}
        </Button>
      </div>
      <ul aria-label="Differences" className="mt-4 grid gap-3">
        {parts.map(difference => (
          <li key={difference.part} className="rounded-card border border-line p-4">
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="font-medium">
                {nameOf(difference.part, mine, theirs.content)}{' '}
                {difference.mine !== 'same' && difference.theirs !== 'same' ? (
                  <Badge tone="signal">both changed</Badge>
                ) : null}
              </p>
              <Segments<Side>
                label={`Whose ${nameOf(difference.part, mine, theirs.content)}`}
                value={choices[difference.part] ?? difference.proposal}
                choices={[
                  { value: 'mine', label: 'Mine' },
                  { value: 'theirs', label: 'Theirs' },
                ]}
                onChange={side => setChoices({ ...choices, [difference.part]: side })}
              />
            </div>
            <Words difference={difference} mine={mine} theirs={theirs.content} themes={themes} />
          </li>
        ))}
      </ul>
      <Actions>
        <Button onClick={onLater}>Decide later</Button>
        <Button variant="primary" onClick={() => onResolve(merge(mine, theirs.content, parts, choices))}>
          Save the choice
        </Button>
      </Actions>
    </Dialog>
  );
}

function nameOf(part: PartDifference['part'], mine: DraftContent, theirs: DraftContent): string {
  switch (part) {
    case 'start':
      return 'Start rule';
    case 'theme':
      return 'Theme';
    case 'order':
      return 'Order of the steps';
    default: {
      const key = part.slice('step:'.length);
      const step = [...mine.steps, ...theirs.steps].find(each => each.key === key);
      return `Step “${step?.title || key}”`;
    }
  }
}

function Words({
  difference: { part, mine: myChange, theirs: theirChange },
  mine,
  theirs,
  themes,
}: {
  difference: PartDifference;
  mine: DraftContent;
  theirs: DraftContent;
  themes: Themes;
}) {
  const rows = rowsOf(part, mine, theirs, themes);
  return (
    <>
      {rows.length === 0 ? (
        <p className="mt-1 text-sm text-muted">
          You {said(myChange)}; they {said(theirChange)}.
        </p>
      ) : (
        <dl className="mt-2 grid gap-2 text-sm">
          {rows.map(row => (
            <div key={row.field} className="grid gap-x-4 gap-y-0.5 sm:grid-cols-[9rem_1fr_1fr]">
              <dt className="text-muted">{row.field}</dt>
              <dd className="min-w-0 rounded-md bg-brand-soft px-2 py-1 break-words whitespace-pre-line">
                <span className="sr-only">Mine: </span>
                {row.mine || '–'}
              </dd>
              <dd className="min-w-0 rounded-md bg-signal-soft px-2 py-1 break-words whitespace-pre-line">
                <span className="sr-only">Theirs: </span>
                {row.theirs || '–'}
              </dd>
            </div>
          ))}
        </dl>
      )}
    </>
  );
}

function said(change: Change): string {
  switch (change) {
    case 'same':
      return 'left it as it was';
    case 'changed':
      return 'changed it';
    case 'added':
      return 'added it';
    case 'removed':
      return 'deleted it';
    default:
      return change satisfies never;
  }
}

function rowsOf(part: PartDifference['part'], mine: DraftContent, theirs: DraftContent, themes: Themes) {
  const themeName = (id: string | null) => themes.find(each => each.id === id)?.name ?? 'The default';
  switch (part) {
    case 'start':
      return [{ field: 'Start', mine: startSentence(mine.start), theirs: startSentence(theirs.start) }];
    case 'theme':
      return [{ field: 'Theme', mine: themeName(mine.themeId), theirs: themeName(theirs.themeId) }];
    case 'order': {
      const titles = (content: DraftContent) =>
        content.steps.map((step, index) => `${index + 1}. ${step.title}`).join('\n');
      return [{ field: 'Order', mine: titles(mine), theirs: titles(theirs) }];
    }
    default: {
      const key = part.slice('step:'.length);
      const myStep = mine.steps.find(each => each.key === key);
      const theirStep = theirs.steps.find(each => each.key === key);
      return myStep && theirStep ? stepChanges(myStep, theirStep) : [];
    }
  }
}
