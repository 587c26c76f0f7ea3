import { lazy, Suspense, useId, useState } from 'react';
import { whyLast } from '../../../../embed/player/step-flow';
import { traitsOf } from '../../../../embed/player/step-kinds';
import type { TargetBy } from '../../../generated/operations';
import { MissingTargetValues, SideValues, StepInputRules, TargetByValues } from '../../../generated/rules';
import type { Violation } from '../../../generated/traitql';
import { t } from '../../../shared/i18n/en/editor';
import { t as fields } from '../../../shared/i18n/en/fields';
import { t as player } from '../../../shared/i18n/en/player';
import { t as stepTexts } from '../../../shared/i18n/en/steps';
import { cx } from '../../../shared/lib/class-names';
import { toSentence } from '../../../shared/lib/use-form';
import { Button } from '../../../shared/ui/Button';
import { Panel } from '../../../shared/ui/Card';
import { CopyButton } from '../../../shared/ui/CopyButton';
import { Checkbox, Field, Input, Select } from '../../../shared/ui/Field';
import { Icon, type IconName } from '../../../shared/ui/Icon';
import { NumberInput } from '../../../shared/ui/NumberInput';
import { needsTarget, type Problem, type Step } from '../../tour/draft';
import { formatViolation, problemAt } from '../model/problems';
import { alwaysEndsAt, mockOf } from '../model/step-mock';
import { consoleCheck } from './console-check';
import { MarkdownField } from './MarkdownField';
import { selectorProblem } from './selector-problem';
import { StepFlowFields } from './StepFlowFields';

const ElementPicker = lazy(async () => ({ default: (await import('../../preview/ElementPicker')).ElementPicker }));

const rules = StepInputRules.fields;

const kinds = [
  { value: 'SPOTLIGHT', icon: 'spotlight' },
  { value: 'TOOLTIP', icon: 'tooltip' },
  { value: 'MODAL', icon: 'modal' },
  { value: 'HOTSPOT', icon: 'beacon' },
  { value: 'WAIT', icon: 'wait' },
] as const satisfies readonly { value: Step['kind']; icon: IconName }[];

const labelOrNull = (text: string) => (text === '' ? null : text);

export function StepInspector({
  step,
  saved,
  index,
  violations,
  problems,
  imageFails,
  readOnly,
  steps,
  onChange,
}: {
  step: Step;
  saved: Step | undefined;
  index: number;
  violations: readonly Violation[];
  problems: readonly Problem[];
  /** True if the image does not load in this browser. */
  imageFails: boolean;
  readOnly: string | null;
  steps: readonly Step[];
  onChange: (change: Partial<Step>) => void;
}) {
  const problem = (field: string) => {
    const found = violations.find(each => each.path === `steps.${index}.${field}`);
    return found ? toSentence(formatViolation(found)) : problemAt(problems, saved, step, field);
  };
  const { popover } = traitsOf(step);
  const kindGroup = useId();
  return (
    <Panel title={t.step.title(index + 1)}>
      <fieldset disabled={readOnly !== null} className="grid min-w-0 gap-4">
        <legend className="sr-only">{t.step.title(index + 1)}</legend>
        <div role="radiogroup" aria-label={fields.step.kind} data-field="kind" className="grid grid-cols-2 gap-2">
          {kinds.map(({ value, icon }) => (
            <label
              key={value}
              className={cx(
                'flex cursor-pointer items-center gap-2.5 rounded-control border border-line px-3 py-2.5 text-sm font-medium hover:border-edge has-checked:border-brand has-checked:bg-brand-soft has-focus-visible:outline-2 has-focus-visible:outline-focus has-disabled:cursor-not-allowed has-disabled:opacity-60',
                // The only kind without a popover.
                value === 'WAIT' && 'col-span-2 mt-1',
              )}
            >
              <input
                type="radio"
                name={kindGroup}
                checked={step.kind === value}
                onChange={() => onChange({ kind: value })}
                className="sr-only"
              />
              <Icon name={icon} />
              {fields.kinds[value]}
              {value === 'WAIT' ? (
                <span aria-hidden="true" className="font-normal text-muted">
                  {stepTexts.waitIs}
                </span>
              ) : null}
            </label>
          ))}
        </div>
        <p className="-mt-2 text-sm text-muted">{stepTexts.kindDescriptions[step.kind]}</p>
        <Field
          label={fields.step.title}
          name="title"
          error={problem('title')}
          hint={popover ? undefined : stepTexts.titleOfWait}
        >
          <Input value={step.title} onChange={event => onChange({ title: event.target.value })} />
        </Field>
        {popover ? (
          <Field
            label={fields.step.body}
            name="body"
            error={problem('body')}
            hint={
              <>
                {imageFails ? <span className="mb-1 block font-medium text-ink">{t.step.imageFails}</span> : null}
                {t.step.textHint([...step.body].length, rules.body.length.max)}
              </>
            }
            optional
          >
            <MarkdownField value={step.body} readOnly={readOnly} onChange={body => onChange({ body })} />
          </Field>
        ) : null}
        {needsTarget(step) ? (
          <TargetFields
            step={step}
            // Most applications need the same kind of target for all steps.
            defaultBy={steps.slice(0, index).findLast(({ target }) => target)?.target?.by ?? 'DATA_TOUR'}
            problem={problem}
            onChange={onChange}
          />
        ) : null}
        <Field label={stepTexts.page.label} name="page" error={problem('page')} hint={stepTexts.page.hint} optional>
          <Input
            value={step.page ?? ''}
            placeholder="/billing/*"
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
            onChange={event => onChange({ page: labelOrNull(event.target.value) })}
          />
        </Field>
        <StepFlowFields
          step={step}
          steps={steps}
          path={`steps.${index}`}
          violations={violations}
          unreachableNext={unreachableStep(steps[index + 1], problems)}
          problem={problem}
          onChange={onChange}
        />
        <MoreFields step={step} index={index} steps={steps} problem={problem} onChange={onChange} />
      </fieldset>
    </Panel>
  );
}

function MoreFields({
  step,
  index,
  steps,
  problem,
  onChange,
}: {
  step: Step;
  index: number;
  steps: readonly Step[];
  problem: (field: string) => string | undefined;
  onChange: (change: Partial<Step>) => void;
}) {
  const { popover, back, together } = traitsOf(step);
  const isLast = together || alwaysEndsAt(steps, index);
  const lastReason = back ? whyLast(steps, index, () => false) : null;
  const buttonLabel = mockOf(steps, index)?.next;
  return (
    <details className="rounded-control border border-line">
      <summary className="rounded-control px-3 py-2.5 text-sm font-medium">{t.step.more}</summary>
      <div className="grid gap-4 border-t border-line p-3">
        {popover ? (
          <div className="grid gap-4 @md:grid-cols-2">
            <Field
              label={isLast ? fields.step.doneLabel : fields.step.nextLabel}
              name={isLast ? 'doneLabel' : 'nextLabel'}
              error={problem(isLast ? 'doneLabel' : 'nextLabel')}
              hint={lastReason && buttonLabel ? stepTexts.done[lastReason](buttonLabel) : undefined}
              optional
            >
              <Input
                value={(isLast ? step.doneLabel : step.nextLabel) ?? ''}
                placeholder={together ? player.gotIt : isLast ? player.done : player.next}
                onChange={event =>
                  onChange(
                    isLast
                      ? { doneLabel: labelOrNull(event.target.value) }
                      : { nextLabel: labelOrNull(event.target.value) },
                  )
                }
              />
            </Field>
            {back ? (
              <Field label={fields.step.previousLabel} name="previousLabel" error={problem('previousLabel')} optional>
                <Input
                  value={step.previousLabel ?? ''}
                  placeholder={player.previous}
                  onChange={event => onChange({ previousLabel: labelOrNull(event.target.value) })}
                />
              </Field>
            ) : null}
          </div>
        ) : null}
        {back ? (
          <div data-field="blockPage">
            <Checkbox
              label={stepTexts.block.label}
              hint={stepTexts.block.hint}
              checked={step.blockPage}
              onChange={event => onChange({ blockPage: event.target.checked })}
            />
          </div>
        ) : null}
        {back ? (
          <div data-field="closeOnOutsideClick">
            <Checkbox
              label={fields.step.closeOnOutsideClick}
              hint={stepTexts.outsideClickHint}
              checked={step.closeOnOutsideClick}
              onChange={event => onChange({ closeOnOutsideClick: event.target.checked })}
            />
          </div>
        ) : null}
        <KeyField step={step} keys={steps.map(each => each.key)} error={problem('key')} onChange={onChange} />
      </div>
    </details>
  );
}

const unreachableStep = (step: Step | undefined, problems: readonly Problem[]): Step | null =>
  step && problems.some(({ code, stepKey }) => code === 'UNREACHABLE_STEP' && stepKey === step.key) ? step : null;

function TargetFields({
  step,
  defaultBy,
  problem,
  onChange,
}: {
  step: Step;
  defaultBy: TargetBy;
  problem: (field: string) => string | undefined;
  onChange: (change: Partial<Step>) => void;
}) {
  // Keeps the selected kind of target while there is no value yet.
  const [chosenBy, setChosenBy] = useState<TargetBy>(step.target?.by ?? defaultBy);
  const [picking, setPicking] = useState(false);
  const by = step.target?.by ?? chosenBy;
  const value = step.target?.value ?? '';
  return (
    <div className="grid gap-4">
      <div className="grid gap-4 @md:grid-cols-[10rem_minmax(0,1fr)]">
        <Field label={t.step.elementBy} error={problem('target.by')}>
          <Select
            value={by}
            onChange={event => {
              const next = TargetByValues.find(each => each === event.target.value) ?? 'DATA_TOUR';
              setChosenBy(next);
              if (step.target) onChange({ target: { by: next, value } });
            }}
          >
            <option value="DATA_TOUR">data-tour</option>
            <option value="SELECTOR">{fields.selector}</option>
          </Select>
        </Field>
        <Field
          name="target"
          label={by === 'DATA_TOUR' ? t.step.dataTour : fields.selector}
          error={
            problem('target.value') ?? (by === 'SELECTOR' ? selectorProblem(value) : undefined) ?? problem('target')
          }
        >
          <Input
            value={value}
            placeholder={by === 'DATA_TOUR' ? 'search' : '#search button'}
            spellCheck={false}
            autoCapitalize="none"
            className="font-mono"
            onChange={event => {
              setChosenBy(by);
              onChange({ target: event.target.value === '' ? null : { by, value: event.target.value } });
            }}
          />
        </Field>
      </div>
      <p className="-mt-2 text-sm text-muted">
        {by === 'SELECTOR'
          ? t.step.selectorHint
          : (value ? t.step.dataTourHint : t.step.dataTourNone)(<code>{`data-tour="${value || 'search'}"`}</code>)}
      </p>
      <div className="-mt-2 flex flex-wrap gap-2">
        <Button size="small" icon="spotlight" onClick={() => setPicking(true)}>
          {t.step.pick}
        </Button>
        {step.target ? <CopyButton text={consoleCheck(step.target)} label={t.step.consoleCheck} /> : null}
      </div>
      {step.target ? <p className="-mt-2 text-sm text-muted">{t.step.consoleCheckHint}</p> : null}
      {picking ? (
        <Suspense fallback={null}>
          <ElementPicker
            onPick={name => {
              setChosenBy('DATA_TOUR');
              onChange({ target: { by: 'DATA_TOUR', value: name } });
              setPicking(false);
            }}
            onClose={() => setPicking(false)}
          />
        </Suspense>
      ) : null}
      {traitsOf(step).popover ? (
        <div className="grid gap-4 @md:grid-cols-2">
          <Field label={fields.step.side} name="side" error={problem('side')}>
            <Select
              value={step.side}
              onChange={event => onChange({ side: SideValues.find(each => each === event.target.value) ?? 'AUTO' })}
            >
              {SideValues.map(side => (
                <option key={side} value={side}>
                  {fields.sides[side]}
                </option>
              ))}
            </Select>
          </Field>
          <Field label={fields.step.missingTarget} name="missingTarget" error={problem('missingTarget')}>
            <Select
              value={step.missingTarget}
              onChange={event =>
                onChange({
                  missingTarget: MissingTargetValues.find(each => each === event.target.value) ?? 'SKIP_STEP',
                })
              }
            >
              {MissingTargetValues.filter(each => traitsOf(step).back || each !== 'SHOW_CENTERED').map(each => (
                <option key={each} value={each}>
                  {fields.missing[each]}
                </option>
              ))}
            </Select>
          </Field>
        </div>
      ) : null}
      <Field label={t.step.wait} name="waitMs" error={problem('waitMs')}>
        <NumberInput
          min={rules.waitMs.range.min / 1000}
          max={rules.waitMs.range.max / 1000}
          step={0.5}
          value={step.waitMs / 1000}
          onChange={seconds => onChange({ waitMs: Math.round(seconds * 1000) })}
          className="max-w-32"
        />
      </Field>
    </div>
  );
}

function KeyField({
  step,
  keys,
  error,
  onChange,
}: {
  step: Step;
  keys: readonly string[];
  error: string | undefined;
  onChange: (change: Partial<Step>) => void;
}) {
  const [key, setKey] = useState(step.key);
  // Follows changes of the key from outside, for example by undo.
  const [lastKey, setLastKey] = useState(step.key);
  if (step.key !== lastKey) {
    setLastKey(step.key);
    setKey(step.key);
  }
  const duplicateError = key !== step.key && keys.includes(key) ? t.step.taken : undefined;
  const commit = () => {
    if (key !== step.key && !duplicateError && key !== '') onChange({ key });
    else setKey(step.key);
  };
  return (
    <Field label={fields.step.key} name="key" error={error ?? duplicateError} hint={t.step.keyHint}>
      <Input
        value={key}
        spellCheck={false}
        autoCapitalize="none"
        className="font-mono"
        onChange={event => setKey(event.target.value)}
        onBlur={commit}
        onKeyDown={event => {
          if (event.key === 'Enter' && !event.ctrlKey && !event.metaKey) commit();
        }}
      />
    </Field>
  );
}
