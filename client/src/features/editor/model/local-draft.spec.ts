import { beforeEach, describe, expect, it } from 'vitest';
import { defaultStart, newStep } from '../../tour/draft';
import { createEditor, type EditorEffects } from './editor';
import { localDraftStore, type LocalDraft } from './local-draft';

const draft = (title: string, version = 1): LocalDraft['base'] => ({
  content: {
    steps: [{ ...newStep([]), title }],
    start: defaultStart,
    themeId: null,
    locales: ['en'],
  },
  version,
  author: 'Ana',
  problems: [],
});
const localDraft = (title: string, version = 1): LocalDraft => ({
  content: draft(title).content,
  base: draft('Before', version),
});

const openStore = (account = 'ana') => localDraftStore(localStorage, account, 'tour');
const titleOf = (draft: LocalDraft | null) => draft?.content.steps[0]?.title;

beforeEach(() => localStorage.clear());

describe('the local draft store', () => {
  it('returns a stored draft on the next visit, to the same account only', () => {
    openStore().write(localDraft('Mine'));
    expect(titleOf(openStore().read())).toBe('Mine');
    expect(openStore('bob').read()).toBeNull();
  });

  it('clears drafts that it wrote or read', () => {
    const first = openStore();
    first.write(localDraft('Mine'));
    first.write(localDraft('Mine again'));
    first.clear();
    expect(localStorage).toHaveLength(0);
    first.write(localDraft('Mine'));
    const next = openStore();
    next.read();
    next.clear();
    expect(localStorage).toHaveLength(0);
  });

  it('neither clears nor replaces the draft of another tab', () => {
    const [here, there] = [openStore(), openStore()];
    there.write(localDraft('Theirs'));
    here.clear();
    expect(titleOf(openStore().read())).toBe('Theirs');
    here.write(localDraft('Mine'));
    here.clear();
    expect(titleOf(openStore().read())).toBe('Theirs');
  });

  it('keeps a draft that it read if the tab that wrote it has changed it since', () => {
    const writer = openStore();
    writer.write(localDraft('First'));
    const reader = openStore();
    reader.read();
    writer.write(localDraft('Second'));
    reader.write(localDraft('Mine'));
    reader.clear();
    expect(titleOf(openStore().read())).toBe('Second');
  });

  it('returns the draft with the newest base first, and skips unreadable ones', () => {
    localStorage.setItem('waypost:draft:ana:tour:9', '{"not": "a draft"');
    openStore().write(localDraft('Old', 3));
    openStore().write(localDraft('New', 4));
    const store = openStore();
    expect(titleOf(store.read())).toBe('New');
    store.clear();
    expect(titleOf(openStore().read())).toBe('Old');
  });

  it('works without storage', () => {
    const store = localDraftStore(undefined, 'ana', 'tour');
    store.write(localDraft('Mine'));
    store.clear();
    expect(store.read()).toBeNull();
  });
});

it('an editor without changes keeps the draft of another tab', () => {
  const effects: EditorEffects = {
    save: () => Promise.reject(new Error('Unexpected save.')),
    load: () => Promise.reject(new Error('Unexpected load.')),
    localDraft: openStore(),
    now: () => 0,
    schedule: () => () => undefined,
  };
  const editor = createEditor(draft('Before'), effects);
  openStore().write(localDraft('Of the other tab'));
  editor.subscribe(() => undefined)();
  expect(titleOf(openStore().read())).toBe('Of the other tab');
});
