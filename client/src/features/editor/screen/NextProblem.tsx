import { useState } from 'react';
import { t } from '../../../shared/i18n/en/editor';
import { t as tours } from '../../../shared/i18n/en/tour';
import { Button } from '../../../shared/ui/Button';
import type { ProblemEntry, ProblemLocation } from '../model/problems';

export function NextProblem({
  problems,
  onGo,
}: {
  problems: readonly ProblemEntry[];
  onGo: (location: ProblemLocation) => void;
}) {
  const [lastId, setLastId] = useState<string | null>(null);
  const blockers = problems.filter(each => each.severity === 'BLOCKER');
  const shown = blockers.length > 0 ? blockers : problems;
  if (shown.length === 0) return null;
  const next = shown[(shown.findIndex(each => each.id === lastId) + 1) % shown.length];
  const count = blockers.length > 0 ? tours.counts.blockers(shown.length) : tours.counts.hints(shown.length);
  return (
    <Button
      variant="ghost"
      size="small"
      icon="warning"
      aria-label={shown.length === 1 ? t.problems.goToIt(count) : t.problems.goToNext(count)}
      className={blockers.length > 0 ? 'text-danger' : 'text-signal-ink'}
      onClick={() => {
        if (!next) return;
        setLastId(next.id);
        onGo(next.location);
      }}
    >
      {count}
    </Button>
  );
}
