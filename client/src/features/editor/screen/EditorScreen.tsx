import { lazy, Suspense, useEffect, useEffectEvent, useMemo, useRef, useState } from 'react';
import { MutationTourSave } from '../../../generated/fields';
import { useThemesQuery } from '../../../generated/hooks';
import { t } from '../../../shared/i18n/en/editor';
import { t as errors } from '../../../shared/i18n/en/errors';
import { t as player } from '../../../shared/i18n/en/player';
import { cx } from '../../../shared/lib/class-names';
import { Button, IconButton } from '../../../shared/ui/Button';
import { formatKeys } from '../../../shared/ui/commands';
import { WIDE_FRAME } from '../../../shared/ui/Page';
import { SkipLink } from '../../../shared/ui/SkipLink';
import { useMissingTargets } from '../../preview/missing-targets';
import { StepComments, TourComments } from '../../review/EditorComments';
import { ReviewNote } from '../../review/ReviewNote';
import { SpotlightMock } from '../../theme/SpotlightMock';
import { themeStyleOf } from '../../theme/theme-style';
import { MAX_STEPS, needsTarget, type SavedDraft } from '../../tour/draft';
import { liveRevisions } from '../../tour/live-numbers';
import type { TourWithDraft } from '../../tour/tour-context';
import { useReason, useWorkspace } from '../../workspace/workspace-context';
import { LanguagesInspector } from '../inspector/LanguagesInspector';
import { RulesInspector } from '../inspector/RulesInspector';
import { StepInspector } from '../inspector/StepInspector';
import type { EditorState } from '../model/editor';
import { changeStartEdit, changeStepEdit, changeThemeEdit } from '../model/edits';
import { problemEntries, type LocalWarning, type ProblemEntry } from '../model/problems';
import { mockOf } from '../model/step-mock';
import { ConflictDialog } from './ConflictDialog';
import { NextProblem } from './NextProblem';
import { ProblemsPanel } from './ProblemsPanel';
import { SaveLine } from './SaveLine';
import { STEP_ADD, StepList } from './StepList';
import { useEditor } from './use-editor';
import { useEditorActions, type EditorActions } from './use-editor-actions';
import { useEditorCommands } from './use-editor-commands';
import { useFailingImages } from './use-failing-images';
import { useStepSelection } from './use-step-selection';

const TourPreview = lazy(async () => ({ default: (await import('../../preview/TourPreview')).TourPreview }));

export function EditorScreen({
  tour,
  accountId,
  initial,
  startWith,
}: {
  tour: TourWithDraft;
  accountId: string;
  initial: SavedDraft;
  startWith: { readonly step?: string; readonly field?: string };
}) {
  const workspace = useWorkspace();
  const archived = tour.status === 'ARCHIVED' ? t.screen.archived : null;
  const locked = useReason()(MutationTourSave) ?? archived;
  const inReview = tour.draft.state === 'IN_REVIEW' ? errors.sentence('REVISION_IN_REVIEW', {}) : null;
  const readOnly = locked ?? inReview;
  const { editor, state } = useEditor({
    tourId: tour.id,
    slug: tour.slug,
    workspaceId: workspace.id,
    accountId,
    initial,
  });
  const { content, save } = state;

  const [preview, setPreview] = useState<number | null>(null);
  const [chosenLocale, setLocale] = useState<string | null>(null);
  const targets = content.locales.slice(1);
  const locale = targets.find(each => each === chosenLocale) ?? targets[0] ?? null;
  // The user postponed the conflict.
  const [postponedVersion, setPostponedVersion] = useState<number | null>(null);

  const latestVersion = tour.draft.version;
  useEffect(() => editor.notifyVersion(latestVersion), [editor, latestVersion]);

  // Changes that were unsaved when the review was requested.
  useEffect(() => {
    if (!inReview) editor.flush();
  }, [editor, inReview]);

  const themes = useThemesQuery({ variables: { slug: workspace.slug } }).data?.workspace?.themes ?? [];
  const theme = themeStyleOf(themes, content.themeId);

  const steps = useStepSelection(content.steps, startWith.step ?? null);
  const { ids, selection, index } = steps;
  const step = content.steps[index];
  const id = ids[index]?.id;
  const mock = mockOf(content.steps, index);
  const violations = save.kind === 'invalid' ? save.violations : [];
  const previewSteps = useMemo(() => [...content.steps], [content.steps]);
  const limitReason = content.steps.length >= MAX_STEPS ? t.screen.full(MAX_STEPS) : null;

  const list = useRef<HTMLElement>(null);
  const inspector = useRef<HTMLDivElement>(null);
  const isTargetMissing = useMissingTargets(tour.id);
  const imageFails = useFailingImages(content.steps);
  const localWarnings = content.steps.flatMap((step): LocalWarning[] => [
    ...(imageFails(step) ? [{ step, kind: 'imageFails' } as const] : []),
    ...(needsTarget(step) && isTargetMissing(step) ? [{ step, kind: 'notFound' } as const] : []),
  ]);
  const problems = problemEntries(content.steps, state.saved.problems, violations, localWarnings);
  const actions = useEditorActions(editor, steps, list, inspector, setLocale);
  const focusLinkedField = useEffectEvent(() => {
    if (startWith.field && step && step.key === startWith.step) actions.focusField(startWith.field);
  });
  useEffect(() => focusLinkedField(), []);
  const startPreview = () => setPreview(Math.max(0, index));
  useEditorCommands({
    state,
    steps,
    step,
    readOnly,
    limitReason,
    problems,
    actions,
    onSave: () => editor.flush(),
    onPreview: startPreview,
  });

  return (
    <div className={cx(WIDE_FRAME, 'grid gap-4')}>
      {readOnly ? null : <SkipLink to={STEP_ADD}>{t.list.skipToAdd}</SkipLink>}
      <ReviewNote unsaved={save.kind !== 'saved'} />
      <EditorToolbar
        tour={tour}
        state={state}
        index={index}
        readOnly={readOnly}
        readOnlyNote={locked}
        problems={problems}
        actions={actions}
        onSave={() => editor.flush()}
        onReview={() => setPostponedVersion(null)}
        onPreview={startPreview}
      />
      <div className="grid items-start gap-5 lg:grid-cols-[17rem_minmax(0,1fr)] xl:grid-cols-[15rem_minmax(0,1fr)_22rem] 2xl:grid-cols-[18rem_minmax(0,1fr)_26rem]">
        <StepList
          ref={list}
          steps={content.steps}
          locales={content.locales}
          ids={ids}
          selection={selection}
          problems={state.saved.problems.filter(each => each.locale === null)}
          violations={violations}
          localWarnings={localWarnings}
          comments={tour.draft.comments}
          readOnly={readOnly}
          limitReason={limitReason}
          onSelect={actions.choose}
          onAdd={actions.add}
          onMove={actions.move}
          onRemove={actions.remove}
          onDuplicate={actions.duplicate}
        />
        <div className="grid content-start gap-5 xl:contents">
          <div
            ref={inspector}
            className={cx(
              '@container min-w-0 scroll-mt-[calc(var(--banner-height,0px)+var(--toolbar-height,0px)+1rem)]',
              // Translations need the wide column to be next to their originals.
              selection === 'languages' ? 'xl:order-2' : 'xl:order-3',
            )}
          >
            {step ? (
              <StepInspector
                key={id}
                step={step}
                saved={state.saved.content.steps.find(each => each.key === step.key)}
                index={index}
                violations={violations.filter(each => each.path.startsWith(`steps.${index}.`))}
                problems={state.saved.problems}
                imageFails={imageFails(step)}
                readOnly={readOnly}
                steps={content.steps}
                onChange={change => actions.edit(changeStepEdit(step, change))}
              />
            ) : selection === 'languages' ? (
              <LanguagesInspector
                slug={tour.slug}
                content={content}
                locale={locale}
                readOnly={readOnly}
                onLocale={setLocale}
                onEdit={actions.edit}
              />
            ) : (
              <RulesInspector
                start={content.start}
                themeId={content.themeId}
                themes={themes}
                violations={violations.filter(each => each.path.startsWith('start.'))}
                problems={state.saved.problems}
                saved={state.saved.content.start}
                readOnly={readOnly}
                onStart={change => actions.edit(changeStartEdit(change))}
                onTheme={themeId => actions.edit(changeThemeEdit(themeId))}
              />
            )}
          </div>
          <div
            // Without a box on narrow screens, so that the preview is above the form and everything else below.
            className={cx(
              'contents min-w-0 content-start gap-5 xl:sticky xl:grid xl:top-[calc(var(--banner-height,0px)+var(--toolbar-height,0px)+0.5rem)]',
              selection === 'languages' ? 'xl:order-3' : 'xl:order-2',
            )}
          >
            {mock ? (
              <div className="max-xl:order-first max-xl:max-w-xl">
                <SpotlightMock theme={theme} label={t.screen.stepPreview(index + 1)} step={mock} />
              </div>
            ) : null}
            <ProblemsPanel entries={problems} checked={save.kind === 'saved'} onGo={actions.goTo} />
            {step ? (
              <StepComments
                key={id}
                stepKey={step.key}
                index={index}
                saved={state.saved.content.steps.some(each => each.key === step.key)}
              />
            ) : (
              <TourComments keys={content.steps.map(each => each.key)} />
            )}
          </div>
        </div>
      </div>
      <p aria-live="polite" className="sr-only">
        {actions.announcement}
      </p>
      {save.kind === 'conflict' && postponedVersion !== save.theirs.version ? (
        <ConflictDialog
          base={save.base}
          mine={content}
          theirs={save.theirs}
          themes={themes}
          onResolve={chosen => editor.resolve(chosen)}
          onLater={() => setPostponedVersion(save.theirs.version)}
        />
      ) : null}
      {preview === null ? null : (
        <Suspense fallback={null}>
          <TourPreview
            tourId={tour.id}
            steps={previewSteps}
            locales={content.locales}
            locale={selection === 'languages' ? locale : null}
            theme={theme}
            startAt={preview}
            onClose={() => setPreview(null)}
          />
        </Suspense>
      )}
    </div>
  );
}

function EditorToolbar({
  tour,
  state,
  index,
  readOnly,
  readOnlyNote,
  problems,
  actions,
  onSave,
  onReview,
  onPreview,
}: {
  tour: TourWithDraft;
  state: EditorState;
  index: number;
  readOnly: string | null;
  /** Null if `ReviewNote` shows the reason. */
  readOnlyNote: string | null;
  problems: readonly ProblemEntry[];
  actions: EditorActions;
  onSave: () => void;
  onReview: () => void;
  onPreview: () => void;
}) {
  return (
    <div
      data-toolbar
      className="flex flex-wrap items-center justify-between gap-3 lg:sticky lg:top-(--banner-height,0px) lg:z-10 lg:-mx-2 lg:-my-2 lg:bg-paper lg:px-2 lg:py-2"
    >
      <div className="min-w-0 flex-1 basis-72">
        <SaveLine
          state={state}
          readOnly={readOnly !== null}
          reason={readOnlyNote}
          onRetry={onSave}
          onReview={onReview}
        />
        {readOnly === null && (tour.status === 'LIVE' || tour.status === 'PAUSED') ? (
          <p className="text-sm text-muted">
            {tour.status === 'LIVE' && !tour.hasUnreleasedChanges && liveRevisions(tour).length > 0
              ? `${t.screen.older} `
              : null}
            {t.screen.released}
          </p>
        ) : null}
      </div>
      <div className="flex items-center gap-1 max-sm:w-full">
        <NextProblem problems={problems} onGo={actions.goTo} />
        <IconButton
          label={state.undo ? t.screen.undoNamed(state.undo.name) : t.screen.undo}
          hint={formatKeys('mod+z').join(' ')}
          icon="undo"
          reason={readOnly ?? (state.undo ? null : t.screen.nothingToUndo)}
          onClick={actions.undo}
        />
        <IconButton
          label={state.redo ? t.screen.redoNamed(state.redo.name) : t.screen.redo}
          hint={formatKeys('mod+shift+z').join(' ')}
          icon="redo"
          className="mr-auto sm:mr-2"
          reason={readOnly ?? (state.redo ? null : t.screen.nothingToRedo)}
          onClick={actions.redo}
        />
        <Button
          icon="play"
          data-tour="tour-preview"
          title={index > 0 ? player.preview.titleFrom(index + 1) : undefined}
          // Undo and redo must not move.
          className="sm:min-w-46"
          reason={state.content.steps.length === 0 ? t.screen.stepFirst : null}
          onClick={onPreview}
        >
          <span className={index > 0 ? 'sm:hidden' : undefined}>{t.screen.preview}</span>
          {index > 0 ? <span className="max-sm:hidden">{t.screen.previewFrom(index + 1)}</span> : null}
        </Button>
      </div>
    </div>
  );
}
