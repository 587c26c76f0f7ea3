import { useState } from 'react';
import { ComparisonValues, DeviceValues, TourProgressValues } from '../../generated/rules';
import type { Violation } from '../../generated/traitql';
import type { Condition } from '../../player/condition';
import { t } from '../../shared/i18n/en/steps';
import { formatProblem } from '../../shared/lib/use-form';
import { Button, IconButton } from '../../shared/ui/Button';
import { Field, Input, Select } from '../../shared/ui/Field';
import {
  newGroup,
  groupOf,
  groups,
  hasValue,
  kindOf,
  MAX_DEPTH,
  MAX_IN_GROUP,
  MAX_TESTS,
  newCondition,
  countTests,
  type ConditionKind,
} from '../tour/condition-tree';
import { useTourChoices } from '../tour/tour-choices';
import { useTour } from '../tour/tour-context';

interface Props {
  value: Condition;
  /** In the save input, for example `start.when`. */
  path: string;
  violations: readonly Violation[];
  depth?: number;
  /** Leaf conditions in the whole tree. */
  tests: number;
  onChange: (value: Condition) => void;
  onRemove: () => void;
}

const kinds: readonly ConditionKind[] = ['page', 'property', 'locale', 'device', 'tour', 'group'];

/** A button, or the condition. */
export function OptionalCondition({
  value,
  onChange,
  ...rest
}: Pick<Props, 'path' | 'violations'> & { value: Condition | null; onChange: (value: Condition | null) => void }) {
  return value === null ? (
    <Button size="small" icon="plus" className="justify-self-start" onClick={() => onChange(newCondition('page'))}>
      {t.condition.add}
    </Button>
  ) : (
    <ConditionField
      {...rest}
      value={value}
      tests={countTests(value)}
      onChange={onChange}
      onRemove={() => onChange(null)}
    />
  );
}

function ConditionField({ value, path, violations, depth = 1, tests, onChange, onRemove }: Props) {
  const kind = kindOf(value);
  const offered = depth < MAX_DEPTH || kind === 'group' ? kinds : kinds.filter(each => each !== 'group');
  return (
    <div className="grid min-w-0 gap-3 rounded-control border border-line p-3">
      <div className="flex items-end gap-2">
        <Field label={t.condition.kind} className="min-w-0 grow">
          <Select
            value={kind}
            onChange={event => onChange(newCondition(kinds.find(each => each === event.target.value) ?? 'page'))}
          >
            {offered.map(each => (
              <option key={each} value={each}>
                {t.condition.kinds[each]}
              </option>
            ))}
          </Select>
        </Field>
        <IconButton
          label={kind === 'group' ? t.condition.removeGroup : t.condition.remove}
          icon="trash"
          onClick={onRemove}
        />
      </div>
      {kind === 'group' ? (
        <GroupFields
          value={value}
          path={path}
          violations={violations}
          depth={depth}
          tests={tests}
          onChange={onChange}
          onRemove={onRemove}
        />
      ) : (
        <TestFields key={kind} value={value} path={path} violations={violations} onChange={onChange} />
      )}
    </div>
  );
}

function GroupFields({ value, path, violations, depth = 1, tests, onChange, onRemove }: Props) {
  const { group, of } = groupOf(value) ?? { group: 'all', of: [] };
  const at = `${path}.${group}`;
  const groupLimitReason = of.length >= MAX_IN_GROUP ? t.condition.full(MAX_IN_GROUP) : null;
  const limitReason = tests >= MAX_TESTS ? t.condition.tooManyParts(MAX_TESTS) : groupLimitReason;
  const set = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? onRemove() : onChange(newGroup(group, conditions));
  return (
    <>
      <Field label={t.condition.group}>
        <Select
          value={group}
          onChange={event => onChange(newGroup(groups.find(each => each === event.target.value) ?? 'all', of))}
        >
          {groups.map(each => (
            <option key={each} value={each}>
              {t.condition.groups[each]}
            </option>
          ))}
        </Select>
      </Field>
      {of.map((each, index) => (
        <ConditionField
          // Conditions have no id.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          value={each}
          path={`${at}.${index}`}
          violations={violations}
          depth={depth + 1}
          tests={tests}
          onChange={next => set(of.with(index, next))}
          onRemove={() => set(of.toSpliced(index, 1))}
        />
      ))}
      <Button
        size="small"
        icon="plus"
        className="justify-self-start"
        reason={limitReason}
        onClick={() => set([...of, newCondition('page')])}
      >
        {t.condition.add}
      </Button>
    </>
  );
}

function TestFields({ value, path, violations, onChange }: Omit<Props, 'onRemove' | 'depth' | 'tests'>) {
  const { page, locale, device, property, tour } = value;
  const own = useTour().id;
  const tours = (useTourChoices().data ?? []).filter(({ id }) => id !== own || id === tour?.tourId);
  // Emptiness is a problem after the user has left the field.
  const [touched, setTouched] = useState(false);
  const touch = () => setTouched(true);
  const problem = (at: string, text = ' ') => {
    const found = touched || text !== '' ? violations.find(each => each.path === `${path}.${at}`) : undefined;
    return found && formatProblem(found.problem);
  };
  const mono = { spellCheck: false, autoCapitalize: 'none', className: 'font-mono' } as const;
  if (locale !== null) {
    return (
      <Field label={t.condition.locale} error={problem('locale', locale)}>
        <Input
          {...mono}
          onBlur={touch}
          value={locale}
          placeholder="de-CH"
          onChange={event => onChange({ ...value, locale: event.target.value })}
        />
      </Field>
    );
  }
  if (device !== null) {
    return (
      <Field label={t.condition.device} error={problem('device')}>
        <Select
          value={device}
          onChange={event =>
            onChange({ ...value, device: DeviceValues.find(each => each === event.target.value) ?? 'DESKTOP' })
          }
        >
          {DeviceValues.map(each => (
            <option key={each} value={each}>
              {t.condition.devices[each]}
            </option>
          ))}
        </Select>
      </Field>
    );
  }
  if (property) {
    const set = (change: Partial<typeof property>) => onChange({ ...value, property: { ...property, ...change } });
    return (
      <div className="grid gap-3 @md:grid-cols-3">
        <Field label={t.condition.key} error={problem('property.key', property.key)}>
          <Input {...mono} value={property.key} onBlur={touch} onChange={event => set({ key: event.target.value })} />
        </Field>
        <Field label={t.condition.is} error={problem('property.is')}>
          <Select
            value={property.is}
            onChange={event => set({ is: ComparisonValues.find(each => each === event.target.value) ?? 'IS' })}
          >
            {ComparisonValues.map(each => (
              <option key={each} value={each}>
                {t.condition.comparisons[each]}
              </option>
            ))}
          </Select>
        </Field>
        {hasValue(property.is) ? (
          <Field label={t.condition.value} error={problem('property.value', property.value)}>
            <Input value={property.value} onBlur={touch} onChange={event => set({ value: event.target.value })} />
          </Field>
        ) : null}
      </div>
    );
  }
  if (tour) {
    const set = (change: Partial<typeof tour>) => onChange({ ...value, tour: { ...tour, ...change } });
    return (
      <div className="grid gap-3 @md:grid-cols-2">
        <Field label={t.condition.tour} error={problem('tour.tourId', tour.tourId)}>
          <Select value={tour.tourId} onBlur={touch} onChange={event => set({ tourId: event.target.value })}>
            <option value="">{t.condition.noTour}</option>
            {tours.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        </Field>
        <Field label={t.condition.progress} error={problem('tour.progress')}>
          <Select
            value={tour.progress}
            onChange={event =>
              set({ progress: TourProgressValues.find(each => each === event.target.value) ?? 'COMPLETED' })
            }
          >
            {TourProgressValues.map(each => (
              <option key={each} value={each}>
                {t.condition.progresses[each]}
              </option>
            ))}
          </Select>
        </Field>
      </div>
    );
  }
  return (
    <Field label={t.condition.page} error={problem('page', page ?? '')}>
      <Input
        {...mono}
        onBlur={touch}
        value={page ?? ''}
        placeholder="/billing/*"
        onChange={event => onChange({ ...value, page: event.target.value })}
      />
    </Field>
  );
}
