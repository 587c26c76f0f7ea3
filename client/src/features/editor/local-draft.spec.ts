import { beforeEach, describe, expect, it } from 'vitest';
import { freshStart, newStep } from '../tour/draft';
import { createEditor, type EditorEffects } from './editor';
import { localDraftStore, type LocalDraft } from './local-draft';

const draft = (title: string, version = 1): LocalDraft['base'] => ({
  content: {
    steps: [{ ...newStep([]), title }],
    start: freshStart,
    themeId: null,
  },
  version,
  author: 'Ana',
  problems: [],
});
const kept = (title: string, version = 1): LocalDraft => ({
  content: draft(title).content,
  base: draft('Before', version),
});

/** Another tab of the same browser and person. */
const openShelf = (account = 'ana') => localDraftStore(localStorage, account, 'tour');
const titleOf = (draft: LocalDraft | null) => draft?.content.steps[0]?.title;

beforeEach(() => localStorage.clear());

describe('the shelf of a draft', () => {
  it('gives back at the next visit what was kept, to the same account only', () => {
    openShelf().write(kept('Mine'));
    expect(titleOf(openShelf().read())).toBe('Mine');
    expect(openShelf('bob').read()).toBeNull();
  });

  it('clears what it wrote and what it read', () => {
    const first = openShelf();
    first.write(kept('Mine'));
    first.write(kept('Mine again'));
    first.clear();
    expect(localStorage).toHaveLength(0);
    first.write(kept('Mine'));
    const next = openShelf();
    next.read();
    next.clear();
    expect(localStorage).toHaveLength(0);
  });

  it('neither clears nor replaces what another tab keeps of the same tour', () => {
    const [here, there] = [openShelf(), openShelf()];
    there.write(kept('Theirs'));
    here.clear();
    expect(titleOf(openShelf().read())).toBe('Theirs');
    here.write(kept('Mine'));
    here.clear();
    expect(titleOf(openShelf().read())).toBe('Theirs');
  });

  it('leaves alone what it read, once the tab that wrote it has gone on', () => {
    const writer = openShelf();
    writer.write(kept('First'));
    const reader = openShelf();
    reader.read();
    writer.write(kept('Second'));
    reader.write(kept('Mine'));
    reader.clear();
    expect(titleOf(openShelf().read())).toBe('Second');
  });

  it('gives back the draft with the newest base first, and passes over what it cannot read', () => {
    localStorage.setItem('waypost:draft:ana:tour:9', '{"not": "a draft"');
    openShelf().write(kept('Old', 3));
    openShelf().write(kept('New', 4));
    const shelf = openShelf();
    expect(titleOf(shelf.read())).toBe('New');
    shelf.clear();
    expect(titleOf(openShelf().read())).toBe('Old');
  });

  it('works without a storage', () => {
    const shelf = localDraftStore(undefined, 'ana', 'tour');
    shelf.write(kept('Mine'));
    shelf.clear();
    expect(shelf.read()).toBeNull();
  });
});

it('an editor that has nothing to save leaves the kept draft of another tab', () => {
  const effects: EditorEffects = {
    save: () => Promise.reject(new Error('Nothing is to be saved.')),
    load: () => Promise.reject(new Error('Nothing is to be loaded.')),
    shelf: openShelf(),
    now: () => 0,
    later: () => () => undefined,
  };
  const editor = createEditor(draft('Before'), effects);
  openShelf().write(kept('Of the other tab'));
  editor.subscribe(() => undefined)();
  expect(titleOf(openShelf().read())).toBe('Of the other tab');
});
