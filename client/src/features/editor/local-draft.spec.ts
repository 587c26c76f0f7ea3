import { beforeEach, describe, expect, it } from 'vitest';
import { defaultStart, newStep } from '../tour/draft';
import { createEditor, type EditorEffects } from './editor';
import { localDraftStore, type LocalDraft } from './local-draft';

const draft = (title: string, version = 1): LocalDraft['base'] => ({
  content: {
    steps: [{ ...newStep([]), title }],
    start: defaultStart,
    themeId: null,
  },
  version,
  author: 'Ana',
  problems: [],
});
const localDraft = (title: string, version = 1): LocalDraft => ({
  content: draft(title).content,
  base: draft('Before', version),
});

/** Another tab of the same browser and person. */
const openStore = (account = 'ana') => localDraftStore(localStorage, account, 'tour');
const titleOf = (draft: LocalDraft | null) => draft?.content.steps[0]?.title;

beforeEach(() => localStorage.clear());

describe('the shelf of a draft', () => {
  it('gives back at the next visit what was kept, to the same account only', () => {
    openStore().write(localDraft('Mine'));
    expect(titleOf(openStore().read())).toBe('Mine');
    expect(openStore('bob').read()).toBeNull();
  });

  it('clears what it wrote and what it read', () => {
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

  it('neither clears nor replaces what another tab keeps of the same tour', () => {
    const [here, there] = [openStore(), openStore()];
    there.write(localDraft('Theirs'));
    here.clear();
    expect(titleOf(openStore().read())).toBe('Theirs');
    here.write(localDraft('Mine'));
    here.clear();
    expect(titleOf(openStore().read())).toBe('Theirs');
  });

  it('leaves alone what it read, once the tab that wrote it has gone on', () => {
    const writer = openStore();
    writer.write(localDraft('First'));
    const reader = openStore();
    reader.read();
    writer.write(localDraft('Second'));
    reader.write(localDraft('Mine'));
    reader.clear();
    expect(titleOf(openStore().read())).toBe('Second');
  });

  it('gives back the draft with the newest base first, and passes over what it cannot read', () => {
    localStorage.setItem('waypost:draft:ana:tour:9', '{"not": "a draft"');
    openStore().write(localDraft('Old', 3));
    openStore().write(localDraft('New', 4));
    const shelf = openStore();
    expect(titleOf(shelf.read())).toBe('New');
    shelf.clear();
    expect(titleOf(openStore().read())).toBe('Old');
  });

  it('works without a storage', () => {
    const shelf = localDraftStore(undefined, 'ana', 'tour');
    shelf.write(localDraft('Mine'));
    shelf.clear();
    expect(shelf.read()).toBeNull();
  });
});

it('an editor that has nothing to save leaves the kept draft of another tab', () => {
  const effects: EditorEffects = {
    save: () => Promise.reject(new Error('Nothing is to be saved.')),
    load: () => Promise.reject(new Error('Nothing is to be loaded.')),
    localDraft: openStore(),
    now: () => 0,
    schedule: () => () => undefined,
  };
  const editor = createEditor(draft('Before'), effects);
  openStore().write(localDraft('Of the other tab'));
  editor.subscribe(() => undefined)();
  expect(titleOf(openStore().read())).toBe('Of the other tab');
});
