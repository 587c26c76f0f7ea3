import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState, useSyncExternalStore } from 'react';
import { TourEditor } from '../../../generated/documents/TourEditor';
import { TourSave } from '../../../generated/documents/TourSave';
import { toAppError } from '../../../shared/api/app-error';
import { authSession } from '../../../shared/api/auth-session';
import { connection } from '../../../shared/api/connection';
import { runMutation, type Outcome } from '../../../shared/api/run-mutation';
import { saveInput, savedDraftOf, type SavedDraft } from '../../tour/draft';
import { initialContentOf, clearInitialContent } from '../../tour/initial-content';
import { createEditor, type Editor, type EditorState } from '../model/editor';
import { localDraftStore } from '../model/local-draft';

export function useEditor(options: {
  tourId: string;
  slug: string;
  workspaceId: string;
  accountId: string;
  initial: SavedDraft;
}): { editor: Editor; state: EditorState } {
  const client = useApolloClient();
  const [editor] = useState(() => {
    const { tourId, slug, workspaceId, accountId, initial } = options;
    // Requests of another account are not sent; unsaved changes stay in their author's local draft.
    const context = { account: authSession.accountKey() };
    const load = async (): Promise<Outcome<SavedDraft>> => {
      try {
        const { data } = await client.query({
          query: TourEditor,
          variables: { workspaceId, slug },
          fetchPolicy: 'network-only',
          context: { ...context, fresh: true },
        });
        if (!data?.tourBySlug) throw new Error('The tour no longer exists.');
        return { ok: true, data: savedDraftOf(data.tourBySlug.draft, accountId) };
      } catch (error) {
        return { ok: false, error: toAppError(error) };
      }
    };
    const newEditor = createEditor(initial, {
      load,
      save: async (content, expectedVersion) => {
        const outcome = await runMutation(
          client.mutate({
            mutation: TourSave,
            variables: { input: saveInput(tourId, expectedVersion, content) },
            context,
          }),
        );
        return outcome.ok ? { ok: true, data: savedDraftOf(outcome.data.tourSave, accountId) } : outcome;
      },
      localDraft: localDraftStore(globalThis.localStorage, accountId, tourId),
      now: () => Date.now(),
      schedule: (ms, run) => {
        const timer = window.setTimeout(run, ms);
        return () => window.clearTimeout(timer);
      },
    });
    const initialContent = initialContentOf(tourId);
    if (initialContent && (initialContent.replaces || initial.content.steps.length === 0)) {
      newEditor.edit(() => initialContent.content, { name: initialContent.name });
    }
    return newEditor;
  });
  const { tourId } = options;
  useEffect(() => clearInitialContent(tourId), [tourId]);
  const state = useSyncExternalStore(editor.subscribe, editor.getState);
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.get().state === 'up' && editor.getState().save.kind === 'retrying') editor.flush();
      }),
    [editor],
  );
  // Stored neither on the server nor locally.
  const existsOnlyInPage = !state.storedLocally && state.save.kind !== 'saved';
  useEffect(() => {
    if (!existsOnlyInPage) return undefined;
    const preventUnload = (event: BeforeUnloadEvent) => event.preventDefault();
    window.addEventListener('beforeunload', preventUnload);
    return () => window.removeEventListener('beforeunload', preventUnload);
  }, [existsOnlyInPage]);
  return { editor, state };
}
