import { useBlocker, useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { act } from '../api/act';
import {
  useThemeDefaultSetMutation,
  useThemeDeleteMutation,
  useThemesQuery,
  useThemeUpdateMutation,
} from '../generated/hooks';
import { Themes, type Side, type ThemeFields_ThemeFragment } from '../generated/operations';
import { MutationThemeDefaultSet, MutationThemeDelete, MutationThemeUpdate } from '../generated/fields';
import { ThemeInputRules } from '../generated/rules';
import { checkInput } from '../generated/traitql';
import { usePageTitle } from '../lib/page-title';
import { useForm } from '../lib/use-form';
import { paths, routeIds } from '../paths';
import { NotFound } from '../shell/NotFoundPage';
import { BackLink } from '../ui/BackLink';
import { Badge } from '../ui/Badge';
import { Button } from '../ui/Button';
import { Panel } from '../ui/Card';
import { Confirm } from '../ui/Confirm';
import { Actions, Dialog } from '../ui/Dialog';
import { ErrorNote } from '../ui/ErrorPanel';
import { Field, Input } from '../ui/Field';
import { Loaded } from '../ui/Loaded';
import { NewerVersion } from '../ui/NewerVersion';
import { Page } from '../ui/Page';
import { Segments } from '../ui/Segments';
import { Slider } from '../ui/Slider';
import { toast } from '../ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { ColorField } from './ColorField';
import { sampleStep } from './sample-step';
import { SpotlightMock } from './SpotlightMock';

export function ThemePage() {
  const { slug } = useWorkspace();
  const { theme: id } = useParams({ from: routeIds.theme });
  const result = useThemesQuery({ variables: { slug } });
  return (
    <Loaded result={result} label="Loading the theme" page>
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
  { field: 'overlayOpacity', label: 'Overlay opacity', unit: '', step: 0.05, hint: 'How dark the page around gets.' },
  { field: 'stagePadding', label: 'Stage padding', unit: 'px', step: 1, hint: 'Space around the element.' },
  { field: 'stageRadius', label: 'Stage radius', unit: 'px', step: 1, hint: 'Roundness of the cut-out.' },
  { field: 'popoverOffset', label: 'Popover offset', unit: 'px', step: 1, hint: 'From the cut-out to the popover.' },
  { field: 'animationMs', label: 'Animation', unit: 'ms', step: 50, hint: 'How long it moves to the next element.' },
  { field: 'popoverWidth', label: 'Popover width', unit: 'px', step: 10, hint: '' },
] as const;

const sides = [
  { value: 'BOTTOM', label: 'Below' },
  { value: 'RIGHT', label: 'Right' },
  { value: 'TOP', label: 'Above' },
  { value: 'LEFT', label: 'Left' },
] as const satisfies readonly { value: Side; label: string }[];

function ThemeEditor({ theme }: { theme: ThemeFields_ThemeFragment }) {
  const { slug } = useWorkspace();
  usePageTitle(theme.name);
  const reason = useReason()(MutationThemeUpdate);
  const [update] = useThemeUpdateMutation();
  const [side, setSide] = useState<Side>('BOTTOM');
  // What the changes are based on; a newer version on the server is a conflict, not a silent overwrite.
  const [based, setBased] = useState(theme);
  const form = useForm({
    initial: valuesOf(theme),
    check: values => checkInput(ThemeInputRules, values),
    send: async input => {
      const outcome = await act(update({ variables: { id: theme.id, expectedVersion: based.version, input } }));
      if (!outcome.ok) return outcome.error;
      setBased(outcome.data.themeUpdate);
      toast('The theme is saved. Tours that use it look so from now on.');
      return null;
    },
  });
  const { values } = form;
  const dirty = JSON.stringify(values) !== JSON.stringify(valuesOf(based));
  const newer = theme.version !== based.version;
  const leaving = useBlocker({ shouldBlockFn: () => dirty, enableBeforeUnload: dirty, withResolver: true });
  return (
    <Page
      above={
        <BackLink to={paths.themes} params={{ workspace: slug }}>
          Themes
        </BackLink>
      }
      title={
        <span className="inline-flex flex-wrap items-center gap-3">
          {theme.name}
          {theme.isDefault ? <Badge tone="brand">Default</Badge> : null}
        </span>
      }
      actions={<ThemeActions theme={theme} />}
    >
      <Dialog
        open={leaving.status === 'blocked'}
        onOpenChange={() => leaving.reset?.()}
        title="Leave without saving?"
        description="Your changes to the theme are not saved yet."
      >
        <Actions>
          <Button variant="danger" onClick={() => leaving.proceed?.()}>
            Leave without saving
          </Button>
          <Button variant="primary" onClick={() => leaving.reset?.()}>
            Stay
          </Button>
        </Actions>
      </Dialog>
      <form onSubmit={form.submit} noValidate className="grid items-start gap-5 lg:grid-cols-[minmax(0,1fr)_24rem]">
        <div className="grid min-w-0 gap-3 lg:sticky lg:top-4">
          <SpotlightMock look={values} step={{ ...sampleStep, side }} label="How a step looks in this theme" />
          <div>
            <Segments<Side> label="Side of the popover" value={side} choices={sides} onChange={setSide} />
          </div>
        </div>
        <Panel title="The look">
          <fieldset disabled={reason !== null} className="grid min-w-0 gap-4">
            <legend className="sr-only">The look</legend>
            {form.error ? <ErrorNote error={form.error} /> : null}
            {newer ? (
              <NewerVersion
                onShow={() => {
                  setBased(theme);
                  form.set(valuesOf(theme));
                }}
                onKeep={() => setBased(theme)}
              />
            ) : null}
            <Field label="Name" error={form.problem('name')}>
              <Input value={values.name} onChange={event => form.set({ name: event.target.value })} />
            </Field>
            {sliders.map(({ field, label, unit, step, hint }) => (
              <Field key={field} label={label} error={form.problem(field)} hint={hint}>
                <Slider
                  label={label}
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
            <div className="grid gap-4 sm:grid-cols-2">
              <Field label="Overlay colour" error={form.problem('overlayColor')}>
                <ColorField
                  label="Overlay colour"
                  value={values.overlayColor}
                  onChange={overlayColor => form.set({ overlayColor })}
                />
              </Field>
              <Field label="Accent colour" error={form.problem('accentColor')}>
                <ColorField
                  label="Accent colour"
                  value={values.accentColor}
                  onChange={accentColor => form.set({ accentColor })}
                />
              </Field>
            </div>
          </fieldset>
          <div className="flex flex-wrap justify-end gap-2 mt-4 border-t border-line pt-4">
            <Button reason={dirty ? null : 'Nothing has changed.'} onClick={() => form.set(valuesOf(based))}>
              Undo changes
            </Button>
            <Button
              variant="primary"
              type="submit"
              busy={form.busy}
              reason={reason ?? (dirty ? null : 'Nothing has changed.')}
            >
              Save theme
            </Button>
          </div>
        </Panel>
      </form>
    </Page>
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
        reason={reasonFor(MutationThemeDefaultSet) ?? (theme.isDefault ? 'It is the default theme.' : null)}
        busy={loading}
        onClick={async () => {
          const outcome = await act(makeDefault({ variables: { id: theme.id } }));
          toast(outcome.ok ? `“${theme.name}” is the default theme now.` : outcome.error.message, {
            tone: outcome.ok ? 'plain' : 'danger',
          });
        }}
      >
        Make default
      </Button>
      <Button
        variant="danger"
        icon="trash"
        reason={
          reasonFor(MutationThemeDelete) ??
          (theme.isDefault ? 'The default theme cannot be deleted. Make another theme the default first.' : null)
        }
        onClick={() => setRemoving(true)}
      >
        Delete
      </Button>
      <Confirm
        open={removing}
        onOpenChange={setRemoving}
        title={`Delete “${theme.name}”?`}
        action="Delete theme"
        onConfirm={async () => {
          const outcome = await act(remove({ variables: { id: theme.id } }));
          if (!outcome.ok) return outcome.error;
          toast(`“${theme.name}” is deleted.`);
          void navigate({ to: paths.themes, params: { workspace: slug }, ignoreBlocker: true });
          return null;
        }}
      >
        Themes that tours use cannot be deleted.
      </Confirm>
    </>
  );
}
