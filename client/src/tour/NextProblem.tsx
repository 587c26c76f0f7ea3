import { useState } from 'react';
import { plural } from '../lib/format';
import { Button } from '../ui/Button';
import type { ProblemEntry, ProblemPlace } from './problems';

/** How many problems there are, always in sight; leads to the first, and from there to the next. */
export function NextProblem({
  problems,
  onGo,
}: {
  problems: readonly ProblemEntry[];
  onGo: (place: ProblemPlace) => void;
}) {
  const [last, setLast] = useState<string | null>(null);
  const blockers = problems.filter(each => each.severity === 'BLOCKER');
  const shown = blockers.length > 0 ? blockers : problems;
  if (shown.length === 0) return null;
  const next = shown[(shown.findIndex(each => each.id === last) + 1) % shown.length];
  const count = plural(shown.length, blockers.length > 0 ? 'problem' : 'hint');
  return (
    <Button
      variant="ghost"
      size="small"
      icon="warning"
      aria-label={`${count}: go to ${shown.length === 1 ? 'it' : 'the next'}`}
      className={blockers.length > 0 ? 'text-danger' : 'text-signal-ink'}
      onClick={() => {
        if (!next) return;
        setLast(next.id);
        onGo(next.place);
      }}
    >
      {count}
    </Button>
  );
}
