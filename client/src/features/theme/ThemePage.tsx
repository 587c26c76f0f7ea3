import { useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
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
import { Actions, Dialog } from '../../shared/ui/Dialog';
import { ErrorNote, NewerVersionNote } from '../../shared/ui/ErrorPanel';
import { Field, Input } from '../../shared/ui/Field';
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
});

const sliders = [
  { field: 'overlayOpacity', unit: '', step: 0.05 },
  { field: 'stagePadding', unit: 'px', step: 1 },
  { field: 'stageRadius', unit: 'px', step: 1 },
  { field: 'popoverOffset', unit: 'px', step: 1 },
  { field: 'animationMs', unit: 'ms', step: 50 },
  { field: 'popoverWidth', unit: 'px', step: 10 },
] as const;

const sides = ['BOTTOM', 'RIGHT', 'TOP', 'LEFT'] as const satisfies readonly Side[];

function ThemeEditor({ theme }: { theme: ThemeFields_ThemeFragment }) {
  const { slug } = useWorkspace();
  usePageTitle(theme.name);
  const reason = useReason()(MutationThemeUpdate);
  const [update] = useThemeUpdateMutation();
  const [side, setSide] = useState<Side>('BOTTOM');
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
  const leaving = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: dirty, withResolver: true });
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
      <Dialog
        open={leaving.status === 'blocked'}
        onOpenChange={() => leaving.reset?.()}
        title={t.page.leaveTitle}
        description={t.page.leaveText}
      >
        <Actions>
          <Button variant="danger" onClick={() => leaving.proceed?.()}>
            {t.page.leave}
          </Button>
          <Button variant="primary" onClick={() => leaving.reset?.()}>
            {t.page.stay}
          </Button>
        </Actions>
      </Dialog>
      <form onSubmit={form.submit} noValidate className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-3 lg:sticky lg:top-4">
          <SpotlightMock theme={values} step={{ ...sampleStep(), side }} label={t.page.stepPreview} />
          <div>
            <Segments<Side>
              label={t.page.side}
              value={side}
              choices={sides.map(value => ({ value, label: t.sides[value] }))}
              onChange={setSide}
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
            {sliders.map(({ field, unit, step }) => (
              <Field
                key={field}
                label={t.appearance[field]}
                error={form.problem(field)}
                hint={t.appearanceHints[field]}
              >
                <Slider
                  label={t.appearance[field]}
                  value={values[field]}
                  min={ThemeInputRules.fields[field].range.min}
                  max={ThemeInputRules.fields[field].range.max}
                  step={step}
                  unit={unit}
                  disabled={reason !== null}
                  onChange={value => form.set({ [field]: value })}
                />
              </Field>
            ))}
            <Field label={t.appearance.overlayColor} error={form.problem('overlayColor')}>
              <ColorField
                label={t.appearance.overlayColor}
                value={values.overlayColor}
                onChange={overlayColor => form.set({ overlayColor })}
              />
            </Field>
            <AccentField
              value={values.accentColor}
              problem={form.problem('accentColor')}
              onChange={accentColor => form.set({ accentColor })}
            />
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

const FIRST_ACCENT = '#2f5bea';

function AccentField({
  value,
  problem,
  onChange,
}: {
  value: string | null;
  problem: string | undefined;
  onChange: (value: string | null) => void;
}) {
  // Restored when the user returns to an own color.
  const [own, setOwn] = useState(value ?? FIRST_ACCENT);
  return (
    <div className="grid gap-2">
      <p className="text-sm font-medium">{t.appearance.accentColor}</p>
      <div>
        <Segments<'page' | 'own'>
          label={t.accent.label}
          value={value === null ? 'page' : 'own'}
          choices={[
            { value: 'page', label: t.accent.page },
            { value: 'own', label: t.accent.own },
          ]}
          onChange={choice => onChange(choice === 'own' ? own : null)}
        />
      </div>
      {value === null ? (
        <p className="text-sm text-muted">{t.accent.pageHint}</p>
      ) : (
        <Field label={t.accent.own} error={problem}>
          <ColorField
            label={t.appearance.accentColor}
            value={value}
            onChange={color => {
              setOwn(color);
              onChange(color);
            }}
          />
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
