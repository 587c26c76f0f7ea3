import { use, useId, useState } from 'react';
import type { Condition } from '../../../embed/player/condition';
import { useSegmentsQuery, useSiteTraitsQuery } from '../../generated/hooks';
import { ComparisonValues, DeviceValues, TourProgressValues } from '../../generated/rules';
import type { Violation } from '../../generated/traitql';
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
import { TourContext } from '../tour/tour-context';
import { TourPicker } from '../tour/TourPicker';
import { defaultSite } from '../visitor/defaults';
import { useWorkspace } from '../workspace/workspace-context';

interface Props {
  value: Condition;
  path: string;
  violations: readonly Violation[];
  depth?: number;
  tests: number;
  kinds?: readonly ConditionKind[];
  /** True if the condition can be removed only while it is a group. */
  required?: boolean;
  onChange: (value: Condition) => void;
  onRemove: () => void;
}

const mono = { spellCheck: false, autoCapitalize: 'none', className: 'font-mono' } as const;

const ALL_KINDS: readonly ConditionKind[] = [
  'page',
  'trait',
  'segment',
  'verified',
  'locale',
  'device',
  'tour',
  'group',
];

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

/** A condition that always exists, because it defines a segment. Removing its group leaves a new test. */
export function RequiredCondition({
  value,
  onChange,
  ...rest
}: Pick<Props, 'value' | 'path' | 'violations' | 'onChange'> & { kinds: readonly ConditionKind[] }) {
  const initial = () => onChange(newCondition(rest.kinds[0] ?? 'trait'));
  return (
    <ConditionField {...rest} value={value} tests={countTests(value)} onChange={onChange} onRemove={initial} required />
  );
}

/** A line in a wide container: the kind, its fields, and the button that removes it. */
function ConditionField(props: Props) {
  const { value, path, violations, depth = 1, kinds = ALL_KINDS, required = false, onChange, onRemove } = props;
  const [first = 'page'] = kinds;
  const kind = kindOf(value);
  const offered = depth < MAX_DEPTH || kind === 'group' ? kinds : kinds.filter(each => each !== 'group');
  return (
    <div className="grid min-w-0 gap-3">
      <div className="grid grid-cols-[minmax(0,1fr)_auto] items-start gap-3 @xl:grid-cols-[11rem_minmax(0,1fr)_auto]">
        <Field label={t.condition.kind} className="min-w-0">
          <Select
            value={kind}
            onChange={event => onChange(newCondition(kinds.find(each => each === event.target.value) ?? first, first))}
          >
            {offered.map(each => (
              <option key={each} value={each}>
                {t.condition.kinds[each]}
              </option>
            ))}
          </Select>
        </Field>
        <div className="col-span-2 row-start-2 min-w-0 @xl:col-span-1 @xl:row-start-auto">
          {kind === 'group' ? (
            <GroupSelect value={value} onChange={onChange} />
          ) : (
            <TestFields key={kind} value={value} path={path} violations={violations} onChange={onChange} />
          )}
        </div>
        {required && kind !== 'group' ? null : (
          <IconButton
            label={kind === 'group' ? t.condition.removeGroup : t.condition.remove}
            icon="trash"
            className="mt-8"
            onClick={onRemove}
          />
        )}
      </div>
      {kind === 'group' ? <GroupFields {...props} /> : null}
    </div>
  );
}

const groupValue = (value: Condition) => groupOf(value) ?? { group: 'all' as const, of: [] };

function GroupSelect({ value, onChange }: Pick<Props, 'value' | 'onChange'>) {
  const { group, of } = groupValue(value);
  return (
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
  );
}

function GroupFields({ value, path, violations, depth = 1, tests, kinds = ALL_KINDS, onChange, onRemove }: Props) {
  const { group, of } = groupValue(value);
  const at = `${path}.${group}`;
  const groupLimitReason = of.length >= MAX_IN_GROUP ? t.condition.full(MAX_IN_GROUP) : null;
  const limitReason = tests >= MAX_TESTS ? t.condition.tooManyParts(MAX_TESTS) : groupLimitReason;
  const set = (conditions: readonly Condition[]) =>
    conditions.length === 0 ? onRemove() : onChange(newGroup(group, conditions));
  return (
    <div className="grid gap-4 border-l-2 border-line pl-3 @xl:pl-4">
      {of.map((each, index) => (
        <ConditionField
          // Conditions have no id, so the index is the key.
          // oxlint-disable-next-line react/no-array-index-key
          key={index}
          value={each}
          path={`${at}.${index}`}
          violations={violations}
          depth={depth + 1}
          tests={tests}
          kinds={kinds}
          onChange={next => set(of.with(index, next))}
          onRemove={() => set(of.toSpliced(index, 1))}
        />
      ))}
      <Button
        size="small"
        icon="plus"
        className="justify-self-start"
        reason={limitReason}
        onClick={() => set([...of, newCondition(kinds[0] ?? 'page')])}
      >
        {t.condition.add}
      </Button>
    </div>
  );
}

function TestFields({ value, path, violations, onChange }: Omit<Props, 'onRemove' | 'depth' | 'tests'>) {
  const { page, locale, device, trait, verified, segment, tour } = value;
  // A new condition is empty, which is a problem only after the user has left the field.
  const [touched, setTouched] = useState(false);
  const touch = () => setTouched(true);
  const problem = (at: string, text = ' ') => {
    const found = touched || text !== '' ? violations.find(each => each.path === `${path}.${at}`) : undefined;
    return found && formatProblem(found);
  };
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
  if (trait) {
    return (
      <TraitFields
        test={trait}
        problem={problem}
        onBlur={touch}
        onChange={next => onChange({ ...value, trait: next })}
      />
    );
  }
  if (typeof verified === 'boolean') {
    return (
      <Field label={t.condition.verified} hint={t.condition.verifiedHint}>
        <Select
          value={verified ? 'yes' : 'no'}
          onChange={event => onChange({ ...value, verified: event.target.value === 'yes' })}
        >
          <option value="yes">{t.condition.verifiedValues.yes}</option>
          <option value="no">{t.condition.verifiedValues.no}</option>
        </Select>
      </Field>
    );
  }
  if (typeof segment === 'string') {
    return (
      <SegmentField
        value={segment}
        error={problem('segment', segment)}
        onBlur={touch}
        onChange={next => onChange({ ...value, segment: next })}
      />
    );
  }
  if (tour) {
    return (
      <TourFields test={tour} problem={problem} onBlur={touch} onChange={next => onChange({ ...value, tour: next })} />
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

interface TestProps<Test> {
  test: Test;
  problem: (at: string, text?: string) => string | undefined;
  onBlur: () => void;
  onChange: (test: Test) => void;
}

function TraitFields({ test, problem, onBlur, onChange }: TestProps<NonNullable<Condition['trait']>>) {
  const list = useId();
  const { sites } = useWorkspace();
  const id = defaultSite(sites)?.id;
  const traits = useSiteTraitsQuery({ variables: { id: id ?? '' }, skip: id === undefined }).data?.site?.traits ?? [];
  const values = traits.find(each => each.key === test.key)?.values ?? [];
  const set = (change: Partial<typeof test>) => onChange({ ...test, ...change });
  return (
    <div className="grid gap-3 @md:grid-cols-3">
      <Field label={t.condition.key} error={problem('trait.key', test.key)}>
        <Input
          {...mono}
          value={test.key}
          list={`${list}-keys`}
          autoComplete="off"
          onBlur={onBlur}
          onChange={event => set({ key: event.target.value })}
        />
      </Field>
      <Suggestions id={`${list}-keys`} values={traits.map(each => each.key)} />
      <Field label={t.condition.is} error={problem('trait.is')}>
        <Select
          value={test.is}
          onChange={event => set({ is: ComparisonValues.find(each => each === event.target.value) ?? 'IS' })}
        >
          {ComparisonValues.map(each => (
            <option key={each} value={each}>
              {t.condition.comparisons[each]}
            </option>
          ))}
        </Select>
      </Field>
      {hasValue(test.is) ? (
        <Field label={t.condition.value} error={problem('trait.value', test.value)}>
          <Input
            value={test.value}
            list={`${list}-values`}
            autoComplete="off"
            onBlur={onBlur}
            onChange={event => set({ value: event.target.value })}
          />
        </Field>
      ) : null}
      <Suggestions id={`${list}-values`} values={values} />
    </div>
  );
}

function Suggestions({ id, values }: { id: string; values: readonly string[] }) {
  return (
    <datalist id={id}>
      {values.map(each => (
        <option key={each}>{each}</option>
      ))}
    </datalist>
  );
}

function SegmentField({
  value,
  error,
  onBlur,
  onChange,
}: {
  value: string;
  error: string | undefined;
  onBlur: () => void;
  onChange: (id: string) => void;
}) {
  const { slug } = useWorkspace();
  const segments = useSegmentsQuery({ variables: { slug } }).data?.workspace?.segments ?? [];
  return (
    <Field label={t.condition.segment} error={error}>
      <Select value={value} onBlur={onBlur} onChange={event => onChange(event.target.value)}>
        <option value="">{t.condition.noSegment}</option>
        {segments.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </Select>
    </Field>
  );
}

function TourFields({ test, problem, onBlur, onChange }: TestProps<NonNullable<Condition['tour']>>) {
  const own = use(TourContext)?.id;
  const tours = useTourChoices().data;
  const set = (change: Partial<typeof test>) => onChange({ ...test, ...change });
  return (
    <div className="grid gap-3 @md:grid-cols-2">
      <Field label={t.condition.tour} error={problem('tour.tourId', test.tourId)}>
        <TourPicker
          value={tours?.find(({ id }) => id === test.tourId) ?? null}
          except={own}
          onBlur={onBlur}
          onChange={({ id }) => set({ tourId: id })}
        />
      </Field>
      <Field label={t.condition.progress} error={problem('tour.progress')}>
        <Select
          value={test.progress}
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
