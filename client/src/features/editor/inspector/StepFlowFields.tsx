import { useState } from 'react';
import { isInvitation } from '../../../../embed/player/step-flow';
import { traitsOf } from '../../../../embed/player/step-kinds';
import { AdvanceOnValues, StepInputRules } from '../../../generated/rules';
import type { Violation } from '../../../generated/traitql';
import { t as player } from '../../../shared/i18n/en/player';
import { t } from '../../../shared/i18n/en/steps';
import { formatProblem } from '../../../shared/lib/use-form';
import { Button, IconButton } from '../../../shared/ui/Button';
import { Field, Input, Select } from '../../../shared/ui/Field';
import { NumberInput } from '../../../shared/ui/NumberInput';
import { ConditionSummary } from '../../segment/ConditionSummary';
import { EventField } from '../../site/EventField';
import { isWaitWithoutRule, type Step } from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import { selectorProblem } from './selector-problem';

type Advance = Step['advance'];
type Branch = Step['branches'][number];

interface Props {
  step: Step;
  steps: readonly Step[];
  /** The path of the step in the save input, for example `steps.2`. */
  path: string;
  violations: readonly Violation[];
  unreachableNext: Step | null;
  problem: (field: string) => string | undefined;
  onChange: (change: Partial<Step>) => void;
}

const MAX_BRANCHES = StepInputRules.fields.branches.count.max;
const mono = { spellCheck: false, autoCapitalize: 'none', className: 'font-mono' } as const;
const orNull = (text: string) => (text === '' ? null : text);

export function StepFlowFields(props: Props) {
  return (
    <fieldset className="grid min-w-0 gap-4 rounded-control border border-line p-3">
      <legend className="px-1 text-sm font-medium">{t.advance.title}</legend>
      <AdvanceFields {...props} />
      {traitsOf(props.step).together ? null : <BranchFields {...props} />}
    </fieldset>
  );
}

const endsTour = ({ step, steps }: Props): boolean =>
  !traitsOf(step).together && step.branches.length === 0 && steps.at(-1)?.key === step.key;

/** Returns the advance rules that a kind supports: a click needs a target, a button needs a popover. */
function rulesOf(step: Step): readonly Advance['on'][] {
  const { waits, target } = traitsOf(step);
  if (waits) return AdvanceOnValues.filter(on => on !== 'BUTTON');
  return AdvanceOnValues.filter(on => on === step.advance.on || on !== 'TARGET_CLICK' || target);
}

function AdvanceFields(props: Props) {
  const { step, problem, onChange } = props;
  const { advance } = step;
  const set = (change: Partial<Advance>) => onChange({ advance: { ...advance, ...change } });
  const error = (field: string) => problem(`advance.${field}`) ?? problem('advance');
  // Switching to Wait and back keeps the former rule.
  const isUnset = isWaitWithoutRule(step);
  return (
    <>
      <Field
        label={t.advance[endsTour(props) ? 'endWhen' : traitsOf(step).waits ? 'wait' : 'continueWhen']}
        name="advance"
        error={advanceError(step, problem)}
      >
        <Select
          value={isUnset ? '' : advance.on}
          onChange={event => set({ on: AdvanceOnValues.find(each => each === event.target.value) ?? 'BUTTON' })}
        >
          {isUnset ? (
            <option value="" disabled>
              {t.advance.choose}
            </option>
          ) : null}
          {rulesOf(step).map(on => (
            <option key={on} value={on}>
              {t.advance.ends[on]}
            </option>
          ))}
        </Select>
      </Field>
      {advance.on === 'PAGE' ? (
        <Field label={t.advance.page} error={error('page')}>
          <Input
            {...mono}
            value={advance.page ?? ''}
            placeholder="/orders/*"
            onChange={event => set({ page: orNull(event.target.value) })}
          />
        </Field>
      ) : null}
      {advance.on === 'ELEMENT' ? (
        <Field
          label={t.advance.selector}
          error={problem('advance.selector') ?? selectorProblem(advance.selector ?? '') ?? problem('advance')}
        >
          <Input
            {...mono}
            value={advance.selector ?? ''}
            placeholder="#saved"
            onChange={event => set({ selector: orNull(event.target.value) })}
          />
        </Field>
      ) : null}
      {advance.on === 'EVENT' ? (
        <EventField
          label={t.advance.event}
          hint={t.advance.eventHint}
          error={error('event')}
          value={advance.event ?? ''}
          onChange={name => set({ event: orNull(name) })}
        />
      ) : null}
      {advance.on === 'DELAY' ? (
        <Field label={t.advance.delay} error={problem('advance.delayMs')}>
          <NumberInput
            min={0}
            max={60}
            step={0.5}
            value={advance.delayMs / 1000}
            onChange={seconds => set({ delayMs: Math.round(seconds * 1000) })}
            className="max-w-32"
          />
        </Field>
      ) : null}
    </>
  );
}

/** Rules with a field show the error there. */
const advanceError = ({ advance }: Step, problem: Props['problem']): string | undefined =>
  advance.on === 'PAGE' || advance.on === 'ELEMENT' || advance.on === 'EVENT' ? undefined : problem('advance');

function BranchFields(props: Props) {
  const { step, steps, path, violations, unreachableNext, problem, onChange } = props;
  const { branches } = step;
  const set = (next: readonly Branch[]) => onChange({ branches: next });
  const limitReason = branches.length >= MAX_BRANCHES ? t.advance.full(MAX_BRANCHES) : null;
  const add = (to: Step | null) =>
    set([...branches, { to: to?.key ?? null, label: to && traitsOf(step).popover ? player.next : null, when: null }]);
  const declines = ({ to, label }: Branch) => to === null && label !== null && isInvitation(steps, steps.indexOf(step));
  const branchProblem = (field: string) => {
    const found = violations.find(each => each.path === `${path}.branches.${field}`);
    return found && formatProblem(found);
  };
  return (
    <div className="grid gap-3" data-field="branches">
      <p className="text-sm font-medium">{t.advance.branches}</p>
      {branches.length === 0 ? (
        <p className="-mt-2 text-sm text-muted">{endsTour(props) ? t.advance.endsTour : t.advance.none}</p>
      ) : null}
      {problem('branches') ? <p className="text-sm text-danger">{problem('branches')}</p> : null}
      {branches.map((branch, index) => {
        const change = (next: Partial<Branch>) => set(branches.with(index, { ...branch, ...next }));
        return (
          <fieldset
            // Branches have no id.
            // oxlint-disable-next-line react/no-array-index-key
            key={index}
            className="grid min-w-0 gap-3 rounded-control border border-line p-3"
          >
            <legend className="sr-only">{t.advance.branch(index + 1)}</legend>
            <div className="flex items-start justify-between gap-2">
              <span className="text-sm font-medium">{t.advance.branch(index + 1)}</span>
              <IconButton
                label={t.advance.remove(index + 1)}
                icon="trash"
                onClick={() => set(branches.toSpliced(index, 1))}
              />
            </div>
            <BranchLabel
              label={branch.label}
              waits={Boolean(traitsOf(step).waits)}
              error={branchProblem(`${index}.label`)}
              onChange={label => change({ label })}
            />
            <Field
              label={t.advance.to}
              error={branchProblem(`${index}.to`)}
              hint={declines(branch) ? t.advance.declines : undefined}
            >
              <Select value={branch.to ?? ''} onChange={event => change({ to: orNull(event.target.value) })}>
                <option value="">{t.advance.finish}</option>
                {branch.to !== null && !steps.some(each => each.key === branch.to) ? (
                  <option value={branch.to}>{t.advance.deletedStep(branch.to)}</option>
                ) : null}
                {steps.map((each, position) =>
                  each.key === step.key ? null : (
                    <option key={each.key} value={each.key}>
                      {`${position + 1}. ${each.title || each.key}`}
                    </option>
                  ),
                )}
              </Select>
            </Field>
            <div className="grid gap-1.5">
              <p className="text-sm font-medium">{t.advance.when}</p>
              <ConditionSummary
                value={branch.when}
                path={`${path}.branches.${index}.when`}
                violations={violations}
                title={t.advance.whenOf(index + 1)}
                onChange={when => change({ when })}
              />
            </div>
          </fieldset>
        );
      })}
      <Button
        size="small"
        icon="plus"
        className="justify-self-start"
        reason={limitReason}
        // To the next step, which must stay reachable.
        onClick={() => add(branches.length === 0 ? (steps[steps.indexOf(step) + 1] ?? null) : null)}
      >
        {t.advance.add}
      </Button>
      {branches.length > 0 && unreachableNext ? (
        <div className="grid justify-items-start gap-2 rounded-control bg-signal-soft p-3 text-sm">
          <p>{t.advance.skipped(stepName(unreachableNext))}</p>
          <Button size="small" reason={limitReason} onClick={() => add(unreachableNext)}>
            {t.advance.addBranch}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

/** A wait has no buttons, so its label can only be cleared. */
function BranchLabel({
  label,
  waits,
  error,
  onChange,
}: {
  label: string | null;
  waits: boolean;
  error: string | undefined;
  onChange: (label: string | null) => void;
}) {
  // Removing a cleared field would lose the focus.
  const [focused, setFocused] = useState(false);
  if (waits && label === null && !focused) return null;
  return (
    <Field label={t.advance.label} error={error} hint={waits ? t.advance.labelWait : t.advance.labelHint} optional>
      <Input
        value={label ?? ''}
        onFocus={() => setFocused(true)}
        onBlur={() => setFocused(false)}
        onChange={event => onChange(orNull(event.target.value))}
      />
    </Field>
  );
}
