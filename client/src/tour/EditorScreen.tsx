import { lazy, Suspense, useEffect, useMemo, useRef, useState } from 'react';
import { useThemesQuery } from '../generated/hooks';
import { MutationTourSave } from '../generated/fields';
import { defaultLook } from '../theme/look';
import { SpotlightMock } from '../theme/SpotlightMock';
import { Button } from '../ui/Button';
import { toast } from '../ui/toast';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { ConflictDialog } from './ConflictDialog';
import { addStep, duplicateStep, MAX_STEPS, moveStep, newStep, removeStep, type SavedDraft, type Step } from './draft';
import { ProblemsPanel } from './ProblemsPanel';
import { RulesInspector } from './RulesInspector';
import { SaveLine } from './SaveLine';
import { StepInspector } from './StepInspector';
import { StepList } from './StepList';
import type { TourWithDraft } from './tour-context';
import { useEditor } from './use-editor';

const TourPreview = lazy(async () => ({ default: (await import('../player/TourPreview')).TourPreview }));

/** What the inspector shows: a step by its key, or the rules of the tour. */
export type Selection = { readonly step: string } | 'rules';

export function EditorScreen({
  tour,
  accountId,
  initial,
  startWith,
}: {
  tour: TourWithDraft;
  accountId: string;
  initial: SavedDraft;
  startWith: string | null;
}) {
  const workspace = useWorkspace();
  const archived = tour.status === 'ARCHIVED' ? 'This tour is archived. Restore it to edit it.' : null;
  const readOnly = useReason()(MutationTourSave) ?? archived;
  const { editor, state } = useEditor({
    tourId: tour.id,
    slug: tour.slug,
    workspaceId: workspace.id,
    accountId,
    initial,
  });
  const { content, save } = state;

  const [selection, setSelection] = useState<Selection>(() => firstSelection(content.steps, startWith));
  const [preview, setPreview] = useState<number | null>(null);
  const [said, setSaid] = useState('');
  // The newer version whose difference is to be reviewed later.
  const [putOff, setPutOff] = useState<number | null>(null);
  const list = useRef<HTMLElement>(null);
  const inspector = useRef<HTMLDivElement>(null);

  const news = tour.draft.version;
  useEffect(() => editor.newsOf(news), [editor, news]);

  const themes = useThemesQuery({ variables: { slug: workspace.slug } }).data?.workspace?.themes ?? [];
  const look =
    (content.themeId ? themes.find(each => each.id === content.themeId) : themes.find(each => each.isDefault)) ??
    defaultLook;

  const violations = save.kind === 'held' ? save.violations : [];
  const selectedKey = selection === 'rules' ? null : selection.step;
  const index = content.steps.findIndex(step => step.key === selectedKey);
  const step = content.steps[index];

  const jump = (to: Selection, field?: string, toReplace = false) => {
    setSelection(to);
    // Once the inspector shows it: it stands below the list on a narrow screen, and some fields are folded away.
    requestAnimationFrame(() => {
      const place = field ? `[data-field="${field}"]` : '[data-field]';
      const control = inspector.current?.querySelector<HTMLElement>(`${place} :is(input, textarea, select)`);
      control?.closest('details')?.setAttribute('open', '');
      control?.focus();
      if (toReplace && control instanceof HTMLInputElement) control.select();
    });
  };
  /** Keeps the focus in the list when what had it goes away: to a step, or to the way to add one. */
  const focusStep = (key: string | undefined) => {
    requestAnimationFrame(() => {
      const place = key === undefined ? '[data-tour="step-add"]' : `[data-step="${CSS.escape(key)}"]`;
      list.current?.querySelector<HTMLElement>(place)?.focus();
    });
  };
  const add = () => {
    const created = newStep(content.steps);
    editor.edit(at => addStep(at, created, index < 0 ? at.steps.length : index + 1));
    // Its title is only a name to begin with: what is typed next takes its place.
    jump({ step: created.key }, 'title', true);
  };
  const remove = (key: string) => {
    const at = content.steps.findIndex(each => each.key === key);
    const removed = content.steps[at];
    if (!removed) return;
    editor.edit(current => removeStep(current, key));
    const next = content.steps[at + 1] ?? content.steps[at - 1];
    if (selectedKey === key) setSelection(next ? { step: next.key } : 'rules');
    focusStep(next?.key);
    toast(`Step “${removed.title || removed.key}” is deleted.`, {
      action: {
        label: 'Undo',
        run: () => {
          editor.edit(current =>
            current.steps.some(each => each.key === key) ? current : addStep(current, removed, at),
          );
          setSelection({ step: key });
          focusStep(key);
        },
      },
    });
  };
  const duplicate = (key: string) => {
    const made = duplicateStep(content, key);
    if (!made) return;
    editor.edit(() => made.content);
    setSelection({ step: made.copy.key });
    setSaid(`Step duplicated.`);
  };
  const move = (key: string, to: number) => {
    editor.edit(current => moveStep(current, key, to));
    const place = Math.max(0, Math.min(content.steps.length - 1, to)) + 1;
    setSaid(`Step moved to place ${place} of ${content.steps.length}.`);
  };
  const playable = useMemo(() => [...content.steps], [content.steps]);
  const full = content.steps.length >= MAX_STEPS ? `A tour has at most ${MAX_STEPS} steps.` : null;

  return (
    <div className="mx-auto grid max-w-[100rem] gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <SaveLine state={state} readOnly={readOnly} onRetry={() => editor.flush()} onReview={() => setPutOff(null)} />
        <Button
          icon="play"
          data-tour="tour-preview"
          reason={content.steps.length === 0 ? 'Add a step first.' : null}
          onClick={() => setPreview(Math.max(0, index))}
        >
          Preview
        </Button>
      </div>
      <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)] 2xl:grid-cols-[18rem_minmax(0,1fr)_26rem]">
        <StepList
          ref={list}
          steps={content.steps}
          selection={selection}
          problems={state.saved.problems}
          violations={violations}
          readOnly={readOnly}
          full={full}
          onSelect={setSelection}
          onAdd={add}
          onMove={move}
          onRemove={remove}
          onDuplicate={duplicate}
        />
        <div className="grid content-start gap-5 2xl:contents">
          <div ref={inspector} className="min-w-0 2xl:order-3">
            {step ? (
              <StepInspector
                key={step.key}
                step={step}
                index={index}
                last={index === content.steps.length - 1}
                violations={violations.filter(each => each.path.startsWith(`steps.${index}.`))}
                readOnly={readOnly}
                keys={content.steps.map(each => each.key)}
                onChange={change => {
                  editor.edit(current => ({
                    ...current,
                    steps: current.steps.map(each => (each.key === step.key ? { ...each, ...change } : each)),
                  }));
                  if (change.key !== undefined) setSelection({ step: change.key });
                }}
              />
            ) : (
              <RulesInspector
                start={content.start}
                themeId={content.themeId}
                themes={themes}
                violations={violations.filter(each => each.path.startsWith('start.'))}
                readOnly={readOnly}
                onStart={change => editor.edit(current => ({ ...current, start: { ...current.start, ...change } }))}
                onTheme={themeId => editor.edit(current => ({ ...current, themeId }))}
              />
            )}
          </div>
          <div className="grid min-w-0 content-start gap-5 2xl:order-2">
            {step ? (
              <SpotlightMock
                look={look}
                label={`How step ${index + 1} looks`}
                step={{
                  kind: step.kind,
                  title: step.title,
                  body: step.body,
                  side: step.side,
                  next: index === content.steps.length - 1 ? (step.doneLabel ?? 'Done') : (step.nextLabel ?? 'Next'),
                  previous: step.backLabel ?? 'Previous',
                  count: `${index + 1} of ${content.steps.length}`,
                }}
              />
            ) : null}
            <ProblemsPanel
              steps={content.steps}
              problems={state.saved.problems}
              violations={violations}
              onJump={jump}
            />
          </div>
        </div>
      </div>
      <p aria-live="polite" className="sr-only">
        {said}
      </p>
      {save.kind === 'conflict' && putOff !== save.theirs.version ? (
        <ConflictDialog
          base={save.base}
          mine={content}
          theirs={save.theirs}
          themes={themes}
          onResolve={chosen => editor.resolve(chosen)}
          onLater={() => setPutOff(save.theirs.version)}
        />
      ) : null}
      {preview === null ? null : (
        <Suspense fallback={null}>
          <TourPreview steps={playable} theme={look} startAt={preview} onClose={() => setPreview(null)} />
        </Suspense>
      )}
    </div>
  );
}

function firstSelection(steps: readonly Step[], wanted: string | null): Selection {
  const first = steps.find(step => step.key === wanted) ?? steps[0];
  return first ? { step: first.key } : 'rules';
}
