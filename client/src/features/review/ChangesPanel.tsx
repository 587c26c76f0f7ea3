import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { t } from '../../shared/i18n/en/review';
import { formatAgo } from '../../shared/i18n/format';
import { useNow } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Panel } from '../../shared/ui/Card';
import { Field, Select } from '../../shared/ui/Field';
import { Loaded } from '../../shared/ui/Loaded';
import { TextDiff } from '../../shared/ui/TextDiff';
import { PreviewButton } from '../preview/PreviewButton';
import { contentOf, type FetchedContent } from '../tour/draft';
import type { Since } from '../tour/last-review';
import { stateName } from '../tour/ReviewBadge';
import { useTour } from '../tour/tour-context';
import { formatChanges, type ChangedPart, type FormattedChange } from './format-changes';
import { RestoreButton } from './RestoreButton';
import { emptyContent, useRevisionContent, useReviewContent, type RevisionRow } from './use-revision-content';

export function ChangesPanel({
  revisions,
  from,
  to,
}: {
  revisions: readonly RevisionRow[];
  from: Since;
  to: RevisionRow;
}) {
  const navigate = useNavigate({ from: paths.revisions });
  const now = useNow();
  const endedReviews = to.reviews.filter(each => each.state === 'RETURNED');
  const review = endedReviews.find(each => each.id === from);
  const earlier = revisions.find(each => each.number === from);
  const reviewed = useReviewContent(review?.id);
  const before = useRevisionContent(earlier?.id);
  const after = useRevisionContent(to.id);
  const tour = useTour();
  const revision = after.data?.revision;
  // A preview restarts when its content changes.
  const content = useMemo(() => (revision ? contentOf(revision) : null), [revision]);
  const base = review ? reviewed.data?.review?.content : before.data?.revision;
  const loaded = after.data && (review ? reviewed.data : earlier ? before.data : true) ? after.data : undefined;
  const isAvailable = !review || base;
  const parts = useChanges(base ?? null, (loaded && isAvailable && revision) || null);
  const option = (revision: RevisionRow) => (
    <option key={revision.id} value={revision.number}>
      {t.changes.revision(revision.number, stateName(revision.state))}
    </option>
  );
  return (
    <Panel
      title={t.changes.title}
      actions={
        <div className="flex flex-wrap gap-2">
          {content && content.steps.length > 0 ? (
            <PreviewButton tourId={tour.id} content={content} label={t.changes.preview(to.number)} />
          ) : null}
          {earlier && earlier.state === 'FROZEN' && parts && parts.length > 0 ? (
            <RestoreButton revision={earlier} named />
          ) : null}
        </div>
      }
    >
      <div className="flex flex-wrap gap-3">
        <Field label={t.changes.from} className="max-w-full min-w-0 flex-auto">
          <Select
            value={review || earlier ? from : 0}
            onChange={event => {
              const chosen = event.target.value;
              const since = endedReviews.some(each => each.id === chosen) ? chosen : Number(chosen);
              void navigate({ search: old => ({ ...old, since }), replace: true });
            }}
          >
            {endedReviews.map(each => (
              <option key={each.id} value={each.id}>
                {formatReviewOption(each, now)}
              </option>
            ))}
            {revisions.filter(each => each.id !== to.id).map(option)}
            <option value={0}>{t.changes.nothing}</option>
          </Select>
        </Field>
        <Field label={t.changes.to} className="max-w-full min-w-0 flex-auto">
          <Select
            value={to.number}
            onChange={event => {
              const chosen = Number(event.target.value);
              // Deselected with another revision.
              const since = review ? {} : { since: chosen === from ? to.number : from };
              void navigate({ search: { ...since, at: chosen }, replace: true });
            }}
          >
            {revisions.map(option)}
          </Select>
        </Field>
      </div>
      <div className="mt-5">
        <Loaded
          result={{ data: loaded, error: reviewed.error ?? before.error ?? after.error, refetch: after.refetch }}
          label={t.changes.loading}
          rows={3}
        >
          {() => (parts ? <Changes parts={parts} /> : <p>{isAvailable ? t.changes.gone : t.changes.unavailable}</p>)}
        </Loaded>
      </div>
    </Panel>
  );
}

function formatReviewOption({ by, endedBy, endedAt }: RevisionRow['reviews'][number], now: number): string {
  const format = endedBy?.id === by.id ? t.changes.withdrawn : t.changes.returned;
  return format(endedBy?.name ?? '', endedAt === null ? '' : formatAgo(endedAt, now));
}

function useChanges(before: FetchedContent | null, after: FetchedContent | null): ChangedPart[] | null {
  return useMemo(() => {
    if (!after) return null;
    const themes = [before?.theme, after.theme];
    return formatChanges(
      before ? contentOf(before) : emptyContent,
      contentOf(after),
      id => themes.find(each => each?.id === id)?.name ?? t.words.defaultTheme,
    );
  }, [before, after]);
}

function Changes({ parts }: { parts: readonly ChangedPart[] }) {
  const count = parts.reduce((sum, part) => sum + part.changes.length, 0);
  return (
    <>
      <p role="status" className="text-sm text-muted">
        {count === 0 ? t.changes.same : t.changes.count(count)}
      </p>
      {count === 0 ? null : (
        <ul aria-label={t.changes.list} className="mt-3 grid gap-4">
          {parts.map(part => (
            <Part key={part.id} part={part} />
          ))}
        </ul>
      )}
    </>
  );
}

function Part({ part }: { part: ChangedPart }) {
  return (
    <li className="min-w-0 border-l-2 border-line pl-4">
      <h3 className="font-medium wrap-anywhere">{part.subject}</h3>
      <ul className="mt-1 grid gap-1.5">
        {part.changes.map(change => (
          <li key={change.id} className="wrap-anywhere whitespace-pre-line">
            <Sentence change={change} />
            {change.details.length > 0 ? (
              <ul className="mt-1 grid gap-0.5 text-sm text-muted">
                {change.details.map(each => (
                  <li key={each}>{each}</li>
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ul>
    </li>
  );
}

/** A change, for long texts as a word diff. Screen readers get both texts in a sentence instead. */
function Sentence({ change: { sentence, textChange } }: { change: FormattedChange }) {
  if (!textChange) return sentence;
  return (
    <>
      <span className="sr-only">{sentence}</span>
      <span aria-hidden="true">
        {t.words.rewritten(textChange.field)}
        <span className="mt-1 block rounded-control bg-sunken px-3 py-2">
          <TextDiff before={textChange.before} after={textChange.after} />
        </span>
      </span>
    </>
  );
}
