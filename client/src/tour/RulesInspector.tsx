import { Link } from '@tanstack/react-router';
import type { Violation } from '../generated/traitql';
import type { ThemesQuery } from '../generated/operations';
import { FrequencyValues, StartRuleInputRules, TriggerValues } from '../generated/rules';
import { sentence } from '../lib/use-form';
import { paths } from '../paths';
import { t } from '../texts/editor';
import { t as fields } from '../texts/fields';
import { Panel } from '../ui/Card';
import { Field, Input, Select } from '../ui/Field';
import { NumberInput } from '../ui/NumberInput';
import { useWorkspace } from '../workspace/workspace-context';
import type { Start } from './draft';
import { inUnits } from './problems';
import { startSentence } from './start-sentence';

type Themes = NonNullable<ThemesQuery['workspace']>['themes'];

/** When the tour starts, for how often, and how it looks. */
export function RulesInspector({
  start,
  themeId,
  themes,
  violations,
  readOnly,
  onStart,
  onTheme,
}: {
  start: Start;
  themeId: string | null;
  themes: Themes;
  violations: readonly Violation[];
  readOnly: string | null;
  onStart: (change: Partial<Start>) => void;
  onTheme: (themeId: string | null) => void;
}) {
  const { slug } = useWorkspace();
  const problem = (field: keyof Start) => {
    const found = violations.find(each => each.path === `start.${field}`);
    return found && sentence(inUnits(field, found.problem));
  };
  const standard = themes.find(each => each.isDefault);
  return (
    <Panel title={t.rules.title} description={startSentence(start)}>
      <fieldset disabled={readOnly !== null} className="grid min-w-0 gap-4">
        <legend className="sr-only">{t.rules.title}</legend>
        <Field label={fields.start.trigger} name="trigger" error={problem('trigger')}>
          <Select
            value={start.trigger}
            onChange={event =>
              onStart({ trigger: TriggerValues.find(each => each === event.target.value) ?? 'AUTO' })
            }
          >
            {TriggerValues.map(each => (
              <option key={each} value={each}>
                {fields.triggers[each]}
              </option>
            ))}
          </Select>
        </Field>
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
        <Field
          label={fields.start.page}
          name="page"
          error={problem('page')}
          hint={t.rules.pageHint}
          optional
        >
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
            max={StartRuleInputRules.fields.delayMs.range.max / 1000}
            step={0.5}
            value={start.delayMs / 1000}
            onChange={seconds => onStart({ delayMs: Math.round(seconds * 1000) })}
            className="max-w-32"
          />
        </Field>
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
            <option value="">{standard ? t.rules.defaultNamed(standard.name) : t.rules.default}</option>
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
