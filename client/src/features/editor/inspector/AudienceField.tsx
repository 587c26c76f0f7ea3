import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { Condition } from '../../../../embed/player/condition';
import { useSegmentsQuery } from '../../../generated/hooks';
import type { Violation } from '../../../generated/traitql';
import { t } from '../../../shared/i18n/en/segment';
import { paths } from '../../../shared/lib/paths';
import { Field, Select } from '../../../shared/ui/Field';
import { ConditionDialog, ConditionSentence, isValid } from '../../segment/ConditionSummary';
import { MatchLine } from '../../segment/MatchLine';
import { conditionInput, newCondition, newGroup } from '../../tour/condition-tree';
import { useWorkspace } from '../../workspace/workspace-context';

const PATH = 'start.when';
const EVERYONE = 'everyone';
const CUSTOM = 'custom';

export function AudienceField({
  value,
  violations,
  onChange,
}: {
  value: Condition | null;
  violations: readonly Violation[];
  onChange: (value: Condition | null) => void;
}) {
  const { slug } = useWorkspace();
  const segments = useSegmentsQuery({ variables: { slug } }).data?.workspace?.segments;
  const segment = value?.segment ?? null;
  const choice = value === null ? EVERYONE : (segment ?? CUSTOM);
  const [isEditing, setEditing] = useState(false);
  const condition = { value, path: PATH, violations, title: t.audience.custom, onChange };
  const choose = (next: string) => {
    if (next === EVERYONE) return onChange(null);
    if (next !== CUSTOM) return onChange({ ...newCondition('segment'), segment: next });
    setEditing(true);
    // A chosen segment becomes the first of the custom rules.
    return onChange(segment === null || !value ? newCondition('trait') : newGroup('all', [value]));
  };
  return (
    <div className="grid gap-2.5" data-field="when">
      <Field
        label={t.audience.label}
        hint={
          <Link to={paths.segments} params={{ workspace: slug }} className="underline underline-offset-2">
            {t.audience.edit}
          </Link>
        }
      >
        <Select value={choice} onChange={event => choose(event.target.value)}>
          <option value={EVERYONE}>{t.audience.everyone}</option>
          {segments && segments.length > 0 ? (
            <optgroup label={t.audience.segments}>
              {segments.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          ) : null}
          {segment !== null && segments?.every(each => each.id !== segment) ? (
            <option value={segment}>{t.audience.deleted}</option>
          ) : null}
          <option value={CUSTOM}>{t.audience.custom}</option>
        </Select>
      </Field>
      {choice === CUSTOM && value ? (
        <ConditionSentence {...condition} value={value} onEdit={() => setEditing(true)} />
      ) : null}
      <ConditionDialog {...condition} isOpen={isEditing} onClose={() => setEditing(false)} />
      <MatchLine when={value && conditionInput(value)} isValid={isValid(violations, PATH)} />
    </div>
  );
}
