import { useNavigate, useParams } from '@tanstack/react-router';
import { useState, type ReactNode } from 'react';
import { Themes } from '../../generated/documents/Themes';
import { MutationThemeDefaultSet, MutationThemeDelete, MutationThemeUpdate } from '../../generated/fields';
import {
  useThemeDefaultSetMutation,
  useThemeDeleteMutation,
  useThemesQuery,
  useThemeUpdateMutation,
} from '../../generated/hooks';
import type { Side, ThemeFields_ThemeFragment } from '../../generated/operations';
import { ThemeInputRules } from '../../generated/rules';
import { checkInput } from '../../generated/traitql';
import { runMutation } from '../../shared/api/run-mutation';
import { t as common } from '../../shared/i18n/en/common';
import { t } from '../../shared/i18n/en/theme';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths, routeIds } from '../../shared/lib/paths';
import { useForm } from '../../shared/lib/use-form';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { Panel } from '../../shared/ui/Card';
import { Confirm } from '../../shared/ui/Confirm';
import { ErrorNote, NewerVersionNote } from '../../shared/ui/ErrorPanel';
import { Checkbox, Field, Input } from '../../shared/ui/Field';
import { LeaveDialog } from '../../shared/ui/LeaveDialog';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { BackLink, Page } from '../../shared/ui/Page';
import { Segments } from '../../shared/ui/Segments';
import { Slider } from '../../shared/ui/Slider';
import { toast } from '../../shared/ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { ColorField } from './ColorField';
import { sampleStep, SpotlightMock } from './SpotlightMock';

export function ThemePage() {
  const { slug } = useWorkspace();
  const { theme: id } = useParams({ from: routeIds.theme });
  const result = useThemesQuery({ variables: { slug } });
  return (
    <Loaded result={result} label={t.page.loading} page>
      {({ workspace }) => {
        const theme = workspace?.themes.find(each => each.id === id);
        return theme ? <ThemeEditor key={theme.id} theme={theme} /> : <NotFound thing="theme" />;
      }}
    </Loaded>
  );
}

type Values = Omit<ThemeFields_ThemeFragment, 'id' | 'isDefault' | 'version'>;

const valuesOf = (theme: ThemeFields_ThemeFragment): Values => ({
  name: theme.name,
  overlayOpacity: theme.overlayOpacity,
  stagePadding: theme.stagePadding,
  stageRadius: theme.stageRadius,
  popoverOffset: theme.popoverOffset,
  animationMs: theme.animationMs,
  overlayColor: theme.overlayColor,
  accentColor: theme.accentColor,
  popoverWidth: theme.popoverWidth,
  popoverRadius: theme.popoverRadius,
  buttonRadius: theme.buttonRadius,
  fontFamily: theme.fontFamily,
  showStepCount: theme.showStepCount,
});

interface Scale {
  readonly unit: string;
  readonly step: number;
  /** The shown value of 1. */
  readonly factor?: number;
}

const scales = {
  overlayOpacity: { unit: '%', step: 5, factor: 100 },
  stagePadding: { unit: 'px', step: 1 },
  stageRadius: { unit: 'px', step: 1 },
  animationMs: { unit: 'ms', step: 50 },
  popoverWidth: { unit: 'px', step: 10 },
  popoverOffset: { unit: 'px', step: 1 },
  popoverRadius: { unit: 'px', step: 1 },
  buttonRadius: { unit: 'px', step: 1 },
} as const satisfies Readonly<Partial<Record<keyof Values, Scale>>>;

type Length = keyof typeof scales;

/** Values that a theme takes from the page unless it has its own. */
type Inherited = 'accentColor' | 'popoverRadius' | 'buttonRadius' | 'fontFamily';

const OWN_ACCENT = '#2f5bea';
const OWN_RADIUS = 8;

const sides = ['BOTTOM', 'RIGHT', 'TOP', 'LEFT'] as const satisfies readonly Side[];

function ThemeEditor({ theme }: { theme: ThemeFields_ThemeFragment }) {
  const { slug } = useWorkspace();
  usePageTitle(theme.name);
  const reason = useReason()(MutationThemeUpdate);
  const [update] = useThemeUpdateMutation();
  const [side, setSide] = useState<Side>('BOTTOM');
  const [dark, setDark] = useState(false);
  // A newer version is a conflict.
  const [base, setBase] = useState(theme);
  const form = useForm({
    initial: valuesOf(theme),
    check: values => checkInput(ThemeInputRules, values),
    send: async input => {
      const outcome = await runMutation(update({ variables: { id: theme.id, expectedVersion: base.version, input } }));
      if (!outcome.ok) return outcome.error;
      setBase(outcome.data.themeUpdate);
      toast(t.page.saved);
      return null;
    },
  });
  const { values } = form;
  const dirty = JSON.stringify(values) !== JSON.stringify(valuesOf(base));
  const newer = theme.version !== base.version;
  const lengthControl = (field: Length) => (value: number, onChange: (value: number) => void) => {
    const { unit, step, factor = 1 }: Scale = scales[field];
    const { min, max } = ThemeInputRules.fields[field].range;
    return (
      <Slider
        label={t.appearance[field]}
        value={Math.round(value * factor)}
        min={min * factor}
        max={max * factor}
        step={step}
        unit={unit}
        disabled={reason !== null}
        onChange={next => onChange(next / factor)}
      />
    );
  };
  const length = (field: Exclude<Length, 'popoverRadius' | 'buttonRadius'>) => (
    <Field label={t.appearance[field]} error={form.problem(field)} hint={t.appearanceHints[field]}>
      {lengthControl(field)(values[field], value => form.set({ [field]: value }))}
    </Field>
  );
  const pageOrOwn = <Name extends Inherited>(field: Name, first: NonNullable<Values[Name]>) => ({
    label: t.appearance[field],
    value: values[field],
    first,
    problem: form.problem(field),
    onChange: (value: Values[Name]) => form.set({ [field]: value }),
  });
  return (
    <Page
      above={
        <BackLink to={paths.themes} params={{ workspace: slug }}>
          {t.list.title}
        </BackLink>
      }
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {theme.name}
          {theme.isDefault ? <Badge tone="brand">{t.list.default}</Badge> : null}
        </span>
      }
      actions={<ThemeActions theme={theme} />}
    >
      <LeaveDialog dirty={dirty} text={t.page.leaveText} />
      <form onSubmit={form.submit} noValidate className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-3 lg:sticky lg:top-4">
          <SpotlightMock theme={values} step={{ ...sampleStep(), side }} label={t.page.stepPreview} dark={dark} />
          <div className="flex flex-wrap gap-x-4 gap-y-2">
            <Segments<Side>
              label={t.page.side}
              value={side}
              choices={sides.map(value => ({ value, label: t.sides[value] }))}
              onChange={setSide}
            />
            <Segments<'light' | 'dark'>
              label={t.page.pageAppearance}
              value={dark ? 'dark' : 'light'}
              choices={[
                { value: 'light', label: t.page.lightPage },
                { value: 'dark', label: t.page.darkPage },
              ]}
              onChange={choice => setDark(choice === 'dark')}
            />
          </div>
        </div>
        <Panel title={t.page.appearance}>
          <fieldset disabled={reason !== null} className="grid min-w-0 gap-4">
            <legend className="sr-only">{t.page.appearance}</legend>
            {form.error ? <ErrorNote error={form.error} /> : null}
            {newer ? (
              <NewerVersionNote
                onShow={() => {
                  setBase(theme);
                  form.set(valuesOf(theme));
                }}
                onKeep={() => setBase(theme)}
              />
            ) : null}
            <Field label={common.name} error={form.problem('name')}>
              <Input value={values.name} onChange={event => form.set({ name: event.target.value })} />
            </Field>
            <Group title={t.groups.page}>
              {length('overlayOpacity')}
              <Field label={t.appearance.overlayColor} error={form.problem('overlayColor')}>
                <ColorField
                  label={t.appearance.overlayColor}
                  value={values.overlayColor}
                  onChange={overlayColor => form.set({ overlayColor })}
                />
              </Field>
            </Group>
            <Group title={t.groups.element}>
              {length('stagePadding')}
              {length('stageRadius')}
              {length('animationMs')}
            </Group>
            <Group title={t.groups.popover}>
              {length('popoverWidth')}
              {length('popoverOffset')}
              <PageOrOwn
                {...pageOrOwn('popoverRadius', OWN_RADIUS)}
                hint={t.fromPage.popoverRadius}
                control={lengthControl('popoverRadius')}
              />
              <PageOrOwn
                {...pageOrOwn('fontFamily', t.firstFont)}
                hint={t.fromPage.fontFamily}
                ownHint={t.ownFontHint}
                control={(value, onChange) => (
                  <Input value={value} onChange={event => onChange(event.target.value)} spellCheck={false} />
                )}
              />
              <Checkbox
                label={t.appearance.showStepCount}
                hint={t.showStepCountHint}
                checked={values.showStepCount}
                onChange={event => form.set({ showStepCount: event.target.checked })}
              />
            </Group>
            <Group title={t.groups.buttons}>
              <PageOrOwn
                {...pageOrOwn('accentColor', OWN_ACCENT)}
                hint={t.fromPage.accentColor}
                control={(value, onChange) => (
                  <ColorField label={t.appearance.accentColor} value={value} onChange={onChange} />
                )}
              />
              <PageOrOwn
                {...pageOrOwn('buttonRadius', OWN_RADIUS)}
                hint={t.fromPage.buttonRadius}
                control={lengthControl('buttonRadius')}
              />
            </Group>
          </fieldset>
          <div className="flex flex-wrap justify-end gap-2 mt-4 border-t border-line pt-4">
            <Button reason={dirty ? null : common.nothingChanged} onClick={() => form.set(valuesOf(base))}>
              {t.page.undo}
            </Button>
            <Button
              variant="primary"
              type="submit"
              busy={form.busy}
              reason={reason ?? (dirty ? null : common.nothingChanged)}
            >
              {t.page.save}
            </Button>
          </div>
        </Panel>
      </form>
    </Page>
  );
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title} className="grid gap-4 border-t border-line pt-4">
      <h3 className="text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

function PageOrOwn<Value extends string | number>({
  label,
  value,
  first,
  problem,
  hint,
  ownHint,
  control,
  onChange,
}: {
  label: string;
  /** Null takes the value from the page. */
  value: Value | null;
  /** The first own value. */
  first: Value;
  problem: string | undefined;
  hint: string;
  ownHint?: string;
  control: (value: Value, onChange: (value: Value) => void) => ReactNode;
  onChange: (value: Value | null) => void;
}) {
  // Restored when the user returns to an own value.
  const [own, setOwn] = useState(value ?? first);
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium">{label}</p>
      <div>
        <Segments<'page' | 'own'>
          label={t.source(label)}
          value={value === null ? 'page' : 'own'}
          choices={[
            { value: 'page', label: t.fromPage.label },
            { value: 'own', label: t.own },
          ]}
          onChange={choice => onChange(choice === 'own' ? own : null)}
        />
      </div>
      {value === null ? (
        <p className="text-sm text-muted">{hint}</p>
      ) : (
        <Field label={t.ownValue(label)} error={problem} hint={ownHint}>
          {control(value, next => {
            setOwn(next);
            onChange(next);
          })}
        </Field>
      )}
    </div>
  );
}

function ThemeActions({ theme }: { theme: ThemeFields_ThemeFragment }) {
  const { slug } = useWorkspace();
  const navigate = useNavigate();
  const reasonFor = useReason();
  const refetchQueries = [{ query: Themes, variables: { slug } }];
  const [makeDefault, { loading }] = useThemeDefaultSetMutation({ refetchQueries });
  const [remove] = useThemeDeleteMutation({ refetchQueries });
  const [removing, setRemoving] = useState(false);
  return (
    <>
      <Button
        reason={reasonFor(MutationThemeDefaultSet) ?? (theme.isDefault ? t.page.isDefault : null)}
        busy={loading}
        onClick={async () => {
          const outcome = await runMutation(makeDefault({ variables: { id: theme.id } }));
          toast(outcome.ok ? t.page.isDefaultNow(theme.name) : outcome.error.message, {
            tone: outcome.ok ? 'plain' : 'danger',
          });
        }}
      >
        {t.page.makeDefault}
      </Button>
      <Button
        variant="danger"
        icon="trash"
        reason={reasonFor(MutationThemeDelete) ?? (theme.isDefault ? t.page.defaultStays : null)}
        onClick={() => setRemoving(true)}
      >
        {t.page.delete}
      </Button>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={t.page.deleteTitle(theme.name)}
        action={t.page.deleteTheme}
        onConfirm={async () => {
          const outcome = await runMutation(remove({ variables: { id: theme.id } }));
          if (!outcome.ok) return outcome.error;
          toast(t.page.deleted(theme.name));
          void navigate({ to: paths.themes, params: { workspace: slug }, ignoreBlocker: true });
          return null;
        }}
      >
        {t.page.usedStay}
      </Confirm>
    </>
  );
}
