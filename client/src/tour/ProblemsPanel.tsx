import type { Violation } from '../generated/traitql';
import { sentence } from '../lib/use-form';
import { plural } from '../lib/format';
import { cx } from '../lib/class-names';
import { Panel } from '../ui/Card';
import { Icon } from '../ui/Icon';
import type { Problem, Step } from './draft';
import type { Selection } from './use-step-selection';

interface Entry {
  readonly id: string;
  readonly severity: Problem['severity'];
  readonly text: string;
  readonly where: Selection | null;
  /** The field to go to, by its name in the schema. */
  readonly field?: string | undefined;
}

/** The field that a problem of the catalogue is about. */
const fieldOf: Partial<Record<Problem['code'], string>> = {
  TARGET_REQUIRED: 'target',
  LONG_BODY: 'body',
  DUPLICATE_STEP_KEY: 'key',
};

/** What keeps the draft from being saved or released, and what would make it better. Each entry leads to its place. */
export function ProblemsPanel({
  steps,
  problems,
  violations,
  onJump,
}: {
  steps: readonly Step[];
  problems: readonly Problem[];
  violations: readonly Violation[];
  onJump: (to: Selection, field?: string) => void;
}) {
  const entries = [
    ...violations.map((each): Entry => fromViolation(each, steps)),
    ...problems.map((each): Entry => ({
      id: `${each.code}-${each.stepKey ?? ''}`,
      severity: each.severity,
      text: each.message,
      where: each.stepKey ? { step: each.stepKey } : null,
      field: fieldOf[each.code],
    })),
  ].sort((a, b) => Number(a.severity === 'WARNING') - Number(b.severity === 'WARNING'));
  const blockers = entries.filter(each => each.severity === 'BLOCKER').length;
  return (
    <Panel
      title="Problems"
      description={
        entries.length === 0
          ? 'None. This draft can be released.'
          : blockers === 0
            ? 'Nothing keeps this draft from being released.'
            : `${plural(blockers, 'problem')} to solve before releasing.`
      }
    >
      {entries.length > 0 ? (
        <ul className="-mx-2 grid gap-0.5">
          {entries.map(entry => (
            <li key={entry.id}>
              <ProblemLine entry={entry} onJump={onJump} />
            </li>
          ))}
        </ul>
      ) : (
        <p className="flex items-center gap-2 text-ok">
          <Icon name="check" />
          All clear
        </p>
      )}
    </Panel>
  );
}

function ProblemLine({ entry, onJump }: { entry: Entry; onJump: (to: Selection, field?: string) => void }) {
  const { where } = entry;
  const inside = (
    <>
      <Icon
        name="warning"
        className={cx('mt-0.5 size-4', entry.severity === 'BLOCKER' ? 'text-danger' : 'text-signal-ink')}
      />
      <span className="min-w-0 wrap-anywhere">
        <span className="sr-only">{entry.severity === 'BLOCKER' ? 'Problem: ' : 'Hint: '}</span>
        {entry.text}
      </span>
    </>
  );
  return where ? (
    <button
      type="button"
      onClick={() => onJump(where, entry.field)}
      className="flex w-full items-start gap-2.5 rounded-control px-2 py-1.5 text-left hover:bg-sunken"
    >
      {inside}
    </button>
  ) : (
    <p className="flex items-start gap-2.5 px-2 py-1.5">{inside}</p>
  );
}

function fromViolation({ path, problem, rule }: Violation, steps: readonly Step[]): Entry {
  const [root, index, field] = path.split('.');
  const step = root === 'steps' ? steps[Number(index)] : undefined;
  return {
    id: `${path}-${rule}`,
    severity: 'BLOCKER',
    text: step
      ? `Not saved: the ${field ?? 'step'} of “${step.title || `step ${Number(index) + 1}`}” ${problem}.`
      : `Not saved: ${sentence(`${path} ${problem}`)}`,
    where: step ? { step: step.key } : root === 'start' ? 'rules' : null,
    field: root === 'start' ? index : field,
  };
}
