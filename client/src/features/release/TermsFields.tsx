import { ReleaseAdjustInputRules } from '../../generated/rules';
import { t } from '../../shared/i18n/en/release';
import { Field, Input } from '../../shared/ui/Field';
import { Slider } from '../../shared/ui/Slider';
import { EventField } from '../site/EventField';
import { goalProblem, isRolloutCapped, allocationOf, type Terms } from './terms';

const { rolloutPercent, holdoutPercent } = ReleaseAdjustInputRules.fields;

export function TermsFields({
  terms,
  problem,
  startEvent = null,
  onChange,
}: {
  terms: Terms;
  problem: string | null;
  startEvent?: string | null;
  onChange: (patch: Partial<Terms>) => void;
}) {
  return (
    <div className="grid gap-4">
      <PercentField
        label={t.terms.rollout}
        hint={t.terms.rolloutHint}
        value={terms.rolloutPercent}
        range={rolloutPercent.range}
        onChange={value => onChange({ rolloutPercent: value })}
      />
      <PercentField
        label={t.terms.holdout}
        hint={t.terms.holdoutHint}
        value={terms.holdoutPercent}
        range={holdoutPercent.range}
        onChange={value => onChange({ holdoutPercent: value })}
      />
      <output className="text-sm font-medium">
        {t.terms.ofHundred(allocationOf(terms))}{' '}
        {isRolloutCapped(terms) ? t.terms.rolloutExhausted(100 - terms.holdoutPercent) : null}
      </output>
      <EventField
        label={t.terms.goal}
        hint={[...goalAdvice(terms, startEvent), t.terms.goalHint].join(' ')}
        error={goalProblem(terms)}
        optional
        value={terms.goal}
        onChange={goal => onChange({ goal })}
      />
      <div className="grid gap-4">
        <Field label={t.terms.startsAt} hint={t.terms.startsAtHint} optional>
          <Input
            type="datetime-local"
            value={terms.startsAt}
            onChange={event => onChange({ startsAt: event.target.value })}
          />
        </Field>
        <Field label={t.terms.endsAt} hint={t.terms.endsAtHint} error={problem} optional>
          <Input
            type="datetime-local"
            value={terms.endsAt}
            onChange={event => onChange({ endsAt: event.target.value })}
          />
        </Field>
      </div>
    </div>
  );
}

function goalAdvice({ goal, holdoutPercent }: Terms, startEvent: string | null): string[] {
  const name = goal.trim();
  if (name === '') return holdoutPercent > 0 ? [t.terms.goalMissing] : [];
  return name === startEvent ? [t.terms.goalIsStartEvent] : [];
}

function PercentField({
  label,
  hint,
  value,
  range,
  onChange,
}: {
  label: string;
  hint: string;
  value: number;
  range: { readonly min: number; readonly max: number };
  onChange: (value: number) => void;
}) {
  return (
    <Field label={label} hint={range.max < 100 ? `${hint} ${t.terms.atMost(range.max)}` : hint}>
      <Slider label={label} value={value} min={range.min} max={range.max} unit="%" onChange={onChange} />
    </Field>
  );
}
