import { Link } from '@tanstack/react-router';
import type { ThemesQuery } from '../../../generated/operations';
import { FrequencyValues, StartRuleInputRules, TriggerValues } from '../../../generated/rules';
import type { Violation } from '../../../generated/traitql';
import { t } from '../../../shared/i18n/en/editor';
import { t as fields } from '../../../shared/i18n/en/fields';
import { t as stepTexts } from '../../../shared/i18n/en/steps';
import { t as ui } from '../../../shared/i18n/en/ui';
import { paths } from '../../../shared/lib/paths';
import { toSentence } from '../../../shared/lib/use-form';
import { Panel } from '../../../shared/ui/Card';
import { CodeWithCopy } from '../../../shared/ui/Code';
import { Checkbox, Field, Input, Select } from '../../../shared/ui/Field';
import { NumberInput } from '../../../shared/ui/NumberInput';
import { EventField } from '../../site/EventField';
import { useConditionNames } from '../../tour/condition-names';
import type { Problem, Start } from '../../tour/draft';
import { useTour } from '../../tour/tour-context';
import { useWorkspace } from '../../workspace/workspace-context';
import { formatViolation, startProblemAt } from '../model/problems';
import { AudienceField } from './AudienceField';
import { formatStartRule } from './format-start-rule';

/** Works before and after the script has loaded. */
const startSnippet = (slug: string): string => `(window.waypost ??= []).push(waypost => waypost.start('${slug}'))`;

const rules = StartRuleInputRules.fields;

type Themes = NonNullable<ThemesQuery['workspace']>['themes'];

export function RulesInspector({
  start,
  themeId,
  themes,
  violations,
  problems,
  saved,
  readOnly,
  onStart,
  onTheme,
}: {
  start: Start;
  themeId: string | null;
  themes: Themes;
  violations: readonly Violation[];
  problems: readonly Problem[];
  saved: Start;
  readOnly: string | null;
  onStart: (change: Partial<Start>) => void;
  onTheme: (themeId: string | null) => void;
}) {
  const { slug } = useWorkspace();
  const { slug: tour } = useTour();
  const problem = (field: keyof Start) => {
    const found = violations.find(each => each.path === `start.${field}`);
    return found ? toSentence(formatViolation(found)) : startProblemAt(problems, saved, start, field);
  };
  const names = useConditionNames();
  const startsAutomatically = start.trigger !== 'MANUAL';
  const defaultTheme = themes.find(each => each.isDefault);
  return (
    <Panel title={t.rules.title} description={formatStartRule(start, names)}>
      <fieldset disabled={readOnly !== null} className="grid min-w-0 gap-4">
        <legend className="sr-only">{t.rules.title}</legend>
        <Field label={fields.start.trigger} name="trigger" error={problem('trigger')}>
          <Select
            value={start.trigger}
            onChange={event => onStart({ trigger: TriggerValues.find(each => each === event.target.value) ?? 'AUTO' })}
          >
            {TriggerValues.map(each => (
              <option key={each} value={each}>
                {fields.triggers[each]}
              </option>
            ))}
          </Select>
        </Field>
        {start.trigger === 'MANUAL' ? (
          <div className="grid gap-2">
            <p className="text-sm text-muted">{t.rules.startCode}</p>
            <CodeWithCopy code={startSnippet(tour)} label={ui.copyCode} />
          </div>
        ) : null}
        {start.trigger === 'EVENT' ? (
          <EventField
            label={stepTexts.start.event}
            name="event"
            hint={stepTexts.advance.eventHint}
            error={problem('event')}
            value={start.event ?? ''}
            onChange={name => onStart({ event: name === '' ? null : name })}
          />
        ) : null}
        {startsAutomatically ? (
          <AutoStartFields start={start} violations={violations} problem={problem} onStart={onStart} />
        ) : null}
        <Field
          label={t.rules.theme}
          name="themeId"
          hint={
            <Link to={paths.themes} params={{ workspace: slug }} className="underline underline-offset-2">
              {t.rules.editThemes}
            </Link>
          }
        >
          <Select
            value={themeId ?? ''}
            onChange={event => onTheme(event.target.value === '' ? null : event.target.value)}
          >
            <option value="">{defaultTheme ? t.rules.defaultNamed(defaultTheme.name) : t.rules.default}</option>
            {themes.map(theme => (
              <option key={theme.id} value={theme.id}>
                {theme.name}
              </option>
            ))}
          </Select>
        </Field>
      </fieldset>
    </Panel>
  );
}

/** Limits of a tour that starts automatically or by an event. A manual start by the page ignores them. */
function AutoStartFields({
  start,
  violations,
  problem,
  onStart,
}: {
  start: Start;
  violations: readonly Violation[];
  problem: (field: keyof Start) => string | undefined;
  onStart: (change: Partial<Start>) => void;
}) {
  return (
    <>
      <Field label={fields.start.frequency} name="frequency" error={problem('frequency')}>
        <Select
          value={start.frequency}
          onChange={event =>
            onStart({ frequency: FrequencyValues.find(each => each === event.target.value) ?? 'ONCE' })
          }
        >
          {FrequencyValues.map(each => (
            <option key={each} value={each}>
              {fields.frequencies[each]}
            </option>
          ))}
        </Select>
      </Field>
      {start.frequency === 'EVERY_N_DAYS' ? (
        <Field label={stepTexts.start.everyDays} name="everyDays" error={problem('everyDays')}>
          <Input
            type="number"
            min={rules.everyDays.range.min}
            max={rules.everyDays.range.max}
            value={start.everyDays ?? ''}
            onChange={event => onStart({ everyDays: event.target.value === '' ? null : Number(event.target.value) })}
            className="max-w-32"
          />
        </Field>
      ) : null}
      <Field label={fields.start.page} name="page" error={problem('page')} hint={t.rules.pageHint} optional>
        <Input
          value={start.page ?? ''}
          placeholder="/billing/*"
          spellCheck={false}
          autoCapitalize="none"
          className="font-mono"
          onChange={event => onStart({ page: event.target.value === '' ? null : event.target.value })}
        />
      </Field>
      <Field label={t.rules.delay} name="delayMs" error={problem('delayMs')}>
        <NumberInput
          min={0}
          max={rules.delayMs.range.max / 1000}
          step={0.5}
          value={start.delayMs / 1000}
          onChange={seconds => onStart({ delayMs: Math.round(seconds * 1000) })}
          className="max-w-32"
        />
      </Field>
      <AudienceField value={start.when} violations={violations} onChange={when => onStart({ when })} />
      <Field
        label={stepTexts.start.priority}
        name="priority"
        error={problem('priority')}
        hint={stepTexts.start.priorityHint}
      >
        <NumberInput
          min={rules.priority.range.min}
          max={rules.priority.range.max}
          value={start.priority}
          onChange={priority => onStart({ priority: Math.round(priority) })}
          className="max-w-32"
        />
      </Field>
      <div data-field="ignoreCooldown">
        <Checkbox
          label={stepTexts.start.ignoreCooldown}
          hint={stepTexts.start.ignoreCooldownHint}
          checked={start.ignoreCooldown}
          onChange={event => onStart({ ignoreCooldown: event.target.checked })}
        />
      </div>
    </>
  );
}
