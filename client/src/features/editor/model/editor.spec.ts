import { describe, expect, it } from 'vitest';
import type { AppError } from '../../../shared/api/app-error';
import type { Outcome } from '../../../shared/api/run-mutation';
import {
  defaultStart,
  addStep,
  changeStep,
  type DraftContent,
  moveStep,
  removeStep,
  type SavedDraft,
} from '../../tour/draft';
import { draftStep } from '../../tour/fixtures';
import { createEditor, type Editor, type EditorEffects } from './editor';
import { changeStepEdit } from './edits';
import type { LocalDraft } from './local-draft';

const step = (key: string, title: string) => draftStep(key, { title });

const content: DraftContent = {
  steps: [step('one', 'One'), step('two', 'Two')],
  start: defaultStart,
  themeId: null,
  locales: ['en'],
};

const saved = (version: number, at: DraftContent = content, author = 'Ana'): SavedDraft => ({
  content: at,
  version,
  author,
  problems: [],
});

const failure = (error: Partial<AppError>): Outcome<SavedDraft> => ({
  ok: false,
  error: { message: '', retryable: false, cause: null, ...error } as AppError,
});
const conflict = failure({ kind: 'graphql', code: 'VERSION_CONFLICT' });
const outage = failure({ kind: 'network', code: 'UNREACHABLE', retryable: true });

class TestEnvironment {
  server = saved(1);
  localDraft: LocalDraft | null = null;
  storageFull = false;
  time = 0;
  timers: { at: number; run: () => void }[] = [];
  scriptedOutcomes: Outcome<SavedDraft>[] = [];
  saves: { content: DraftContent; expectedVersion: number }[] = [];

  effects: EditorEffects = {
    save: async (next, expectedVersion) => {
      this.saves.push({ content: next, expectedVersion });
      const scripted = this.scriptedOutcomes.shift();
      if (scripted) return scripted;
      if (expectedVersion !== this.server.version) return conflict;
      this.server = saved(this.server.version + 1, next, 'Me');
      return { ok: true, data: this.server };
    },
    load: async () => ({ ok: true, data: this.server }),
    localDraft: {
      read: () => this.localDraft,
      write: draft => {
        if (this.storageFull) return false;
        this.localDraft = draft;
        return true;
      },
      clear: () => {
        this.localDraft = null;
      },
    },
    now: () => this.time,
    schedule: (ms, run) => {
      const timer = { at: this.time + ms, run };
      this.timers.push(timer);
      return () => {
        this.timers = this.timers.filter(each => each !== timer);
      };
    },
  };

  open(from = this.server): Editor {
    const editor = createEditor(from, this.effects);
    editor.subscribe(() => undefined);
    return editor;
  }

  async advance(ms: number): Promise<void> {
    this.time += ms;
    const due = this.timers.filter(each => each.at <= this.time);
    this.timers = this.timers.filter(each => each.at > this.time);
    for (const timer of due) timer.run();
    // For promises of the fake server.
    await new Promise(resolve => setImmediate(resolve));
  }
}

const title = (key: string, text: string) => (at: DraftContent) => changeStep(at, key, { title: text });
const titleOf = (key: string) => ({ name: `title of ${key}`, step: key, field: 'title' });
const titles = (at: DraftContent) => at.steps.map(each => each.title);

describe('autosave', () => {
  it('sends a change after a delay, with the version it is based on', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    expect(editor.getState().save.kind).toBe('pending');
    expect(env.saves).toHaveLength(0);
    await env.advance(1000);
    expect(env.saves.map(each => each.expectedVersion)).toEqual([1]);
    expect(editor.getState()).toMatchObject({ save: { kind: 'saved' }, saved: { version: 2 } });
    expect(env.localDraft).toBeNull();
  });

  it('sends changes made during a save with the version that the save created', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    editor.flush();
    editor.edit(title('two', 'Second'), titleOf('two'));
    await env.advance(1000);
    await env.advance(1000);
    expect(env.saves.map(each => each.expectedVersion)).toEqual([1, 2]);
    expect(titles(env.server.content)).toEqual(['First', 'Second']);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('does not send invalid content and stores it locally', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    editor.edit(title('one', ''), titleOf('one'));
    await env.advance(5000);
    expect(env.saves).toHaveLength(0);
    expect(editor.getState().save).toMatchObject({ kind: 'invalid', violations: [{ path: 'steps.0.title' }] });
    expect(env.localDraft?.content.steps[0]?.title).toBe('');
    editor.edit(title('one', 'First'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('retries with growing delays during an outage until the save succeeds', async () => {
    const env = new TestEnvironment();
    env.scriptedOutcomes = [outage, outage];
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'retrying', retryAt: env.time + 1000 });
    expect(env.localDraft?.content.steps[0]?.title).toBe('First');
    await env.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'retrying', retryAt: env.time + 2000 });
    await env.advance(2000);
    expect(editor.getState().save.kind).toBe('saved');
    expect(env.localDraft).toBeNull();
  });

  it('stops when the server rejects a save, and saves again after the next change', async () => {
    const env = new TestEnvironment();
    env.scriptedOutcomes = [failure({ kind: 'graphql', code: 'TOUR_ARCHIVED' })];
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save.kind).toBe('rejected');
    await env.advance(60_000);
    expect(env.saves).toHaveLength(1);
    editor.edit(title('one', 'Once more'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('sends unsaved changes when the last subscriber leaves', async () => {
    const env = new TestEnvironment();
    const editor = createEditor(env.server, env.effects);
    const unsubscribe = editor.subscribe(() => undefined);
    editor.edit(title('one', 'First'), titleOf('one'));
    unsubscribe();
    await env.advance(0);
    expect(titles(env.server.content)).toEqual(['First', 'Two']);
    expect(env.localDraft).toBeNull();
  });
});

describe('a newer version on the server', () => {
  it('causes a conflict if both changed the same field, and the resolution is saved on top of it', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(2, title('one', 'By Ana')(content));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'conflict', theirs: { version: 2, author: 'Ana' } });
    expect(env.localDraft).not.toBeNull();
    editor.resolve(title('one', 'Mine')(env.server.content));
    await env.advance(1000);
    expect(env.saves.at(-1)?.expectedVersion).toBe(2);
    expect(titles(env.server.content)).toEqual(['Mine', 'Two']);
  });

  it('is merged with changes of other fields, and its author is reported', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(2, changeStep(title('two', 'By Ana')(content), 'one', { body: 'By Ana too' }));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().mergedFrom).toBe('Ana');
    await env.advance(1000);
    expect(titles(env.server.content)).toEqual(['Mine', 'By Ana']);
    expect(env.server.content.steps[0]?.body).toBe('By Ana too');
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('keeps both steps if both sides added one under the same key', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(2, addStep(content, step('three', 'By Ana'), 2));
    editor.edit(at => addStep(at, step('three', 'Mine'), 2), { name: 'new step', step: 'three' });
    await env.advance(1000);
    await env.advance(1000);
    expect(titles(env.server.content).toSorted()).toEqual(['By Ana', 'Mine', 'One', 'Two']);
    expect(new Set(env.server.content.steps.map(each => each.key)).size).toBe(4);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['One', 'Two', 'By Ana']);
  });

  it('causes no conflict if only the version number changed', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(7);
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await env.advance(1000);
    await env.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
    expect(env.server.version).toBe(8);
  });

  it('replaces the content if there are no unsaved changes', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(2, title('two', 'By Ana')(content));
    editor.notifyVersion(2);
    await env.advance(0);
    expect(titles(editor.getState().content)).toEqual(['One', 'By Ana']);
  });
});

describe('a local draft', () => {
  it('keeps its base if the version loaded after a reload is older', async () => {
    const env = new TestEnvironment();
    const before = env.server;
    const other = { ...content, themeId: 'other' };
    env.server = saved(2, other);
    env.localDraft = { base: env.server, content: { ...other, steps: [] } };
    const editor = env.open(before);
    expect(editor.getState()).toMatchObject({
      restored: true,
      saved: { version: 2 },
      content: { themeId: 'other', steps: [] },
    });
  });

  it('is restored after a reload and saved', async () => {
    const env = new TestEnvironment();
    env.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    const editor = env.open();
    expect(editor.getState()).toMatchObject({ restored: true, save: { kind: 'pending' } });
    await env.advance(1000);
    expect(titles(env.server.content)).toEqual(['Kept', 'Two']);
  });

  it('causes a conflict with a newer version, with its base as common ancestor', () => {
    const env = new TestEnvironment();
    env.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    env.server = saved(3, title('one', 'By Ana')(content));
    const { save } = env.open().getState();
    expect(save).toMatchObject({ kind: 'conflict', base: { version: 1 }, theirs: { version: 3 } });
  });

  it('is merged with newer changes of other parts of the tour', async () => {
    const env = new TestEnvironment();
    env.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    env.server = saved(3, title('two', 'By Ana')(content));
    const editor = env.open();
    await env.advance(1000);
    expect(titles(env.server.content)).toEqual(['Kept', 'By Ana']);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('is reported as not stored if local storage is full', () => {
    const env = new TestEnvironment();
    env.storageFull = true;
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    expect(editor.getState().storedLocally).toBe(false);
    env.storageFull = false;
    editor.edit(title('one', 'First of all'), titleOf('one'));
    expect(editor.getState().storedLocally).toBe(true);
  });

  it('is discarded if the server already has its content', () => {
    const env = new TestEnvironment();
    env.localDraft = { content, base: saved(0, title('one', 'Older')(content)) };
    expect(env.open().getState()).toMatchObject({ restored: false, save: { kind: 'saved' } });
    expect(env.localDraft).toBeNull();
  });
});

describe('undo and redo', () => {
  it('step through edits of every kind', () => {
    const editor = new TestEnvironment().open();
    editor.edit(title('one', 'First'), titleOf('one'));
    editor.edit(at => moveStep(at, 'two', 0), { name: 'move', step: 'two', field: 'order' });
    editor.edit(at => removeStep(at, 'one'), { name: 'deletion', step: 'one' });
    const step = (go: 'undo' | 'redo') => [editor[go]()?.name, titles(editor.getState().content).join(' ')];
    expect(step('undo')).toEqual(['deletion', 'Two First']);
    expect(step('undo')).toEqual(['move', 'First Two']);
    expect(step('undo')).toEqual(['title of one', 'One Two']);
    expect(step('undo')).toEqual([undefined, 'One Two']);
    expect(step('redo')).toEqual(['title of one', 'First Two']);
    expect(editor.getState().redo?.name).toBe('move');
    editor.edit(title('two', 'Second'), titleOf('two'));
    expect(editor.getState().redo).toBeNull();
  });

  it('group typing without a pause into one edit per field', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    for (const text of ['F', 'Fi', 'Fir']) editor.edit(title('one', text), titleOf('one'));
    editor.edit(title('two', 'S'), titleOf('two'));
    editor.edit(title('one', 'First'), titleOf('one'));
    env.time += 5000;
    editor.edit(title('one', 'First!'), titleOf('one'));
    const seen = [1, 2, 3, 4].map(() => {
      editor.undo();
      return titles(editor.getState().content).join(' ');
    });
    expect(seen).toEqual(['First S', 'Fir S', 'Fir Two', 'One Two']);
  });

  it('use the title of a step after the edit', () => {
    const editor = new TestEnvironment().open();
    for (const text of ['F', 'First']) {
      const { change, description } = changeStepEdit(step('one', 'One'), { title: text });
      editor.edit(change, description);
    }
    expect(editor.getState().undo?.name).toBe('title of “First”');
  });

  it('work across saves, and their results are saved', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await env.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
    editor.undo();
    await env.advance(1000);
    expect(titles(env.server.content)).toEqual(['One', 'Two']);
    editor.redo();
    await env.advance(1000);
    expect(titles(env.server.content)).toEqual(['First', 'Two']);
    expect(env.saves.map(each => each.expectedVersion)).toEqual([1, 2, 3]);
  });

  it('affect own edits only, not changes that another member saved', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await env.advance(1000);
    env.server = saved(5, title('two', 'By Ana')(env.server.content));
    editor.notifyVersion(5);
    await env.advance(0);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['One', 'By Ana']);
    editor.redo();
    expect(titles(editor.getState().content)).toEqual(['First', 'By Ana']);
  });

  it('restore own changes that were discarded in a conflict', async () => {
    const env = new TestEnvironment();
    const editor = env.open();
    env.server = saved(2, changeStep(title('one', 'By Ana')(content), 'two', { title: 'By Ana' }));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await env.advance(1000);
    editor.resolve(env.server.content);
    expect(titles(editor.getState().content)).toEqual(['By Ana', 'By Ana']);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['Mine', 'By Ana']);
  });
});
