import { describe, expect, it } from 'vitest';
import type { AppError } from '../../shared/api/app-error';
import type { Outcome } from '../../shared/api/run-mutation';
import {
  defaultStart,
  addStep,
  changeStep,
  type DraftContent,
  moveStep,
  removeStep,
  type SavedDraft,
} from '../tour/draft';
import { draftStep } from '../tour/fixtures';
import { createEditor, type Editor, type EditorEffects } from './editor';
import { changeStepEdit } from './edits';
import type { LocalDraft } from './local-draft';

const step = (key: string, title: string) => draftStep(key, { title });

const content: DraftContent = {
  steps: [step('one', 'One'), step('two', 'Two')],
  start: defaultStart,
  themeId: null,
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

/** A server, a clock and a device, all in the hands of the test. */
class TestEnvironment {
  server = saved(1);
  localDraft: LocalDraft | null = null;
  /** Whether the device takes nothing more. */
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
    // Lets every promise of the scripted server settle.
    await new Promise(resolve => setImmediate(resolve));
  }
}

const title = (key: string, text: string) => (at: DraftContent) => changeStep(at, key, { title: text });
const titleOf = (key: string) => ({ name: `title of ${key}`, step: key, field: 'title' });
const titles = (at: DraftContent) => at.steps.map(each => each.title);

describe('autosave', () => {
  it('sends a change after a pause, with the version it is based on', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    expect(editor.getState().save.kind).toBe('pending');
    expect(world.saves).toHaveLength(0);
    await world.advance(1000);
    expect(world.saves.map(each => each.expectedVersion)).toEqual([1]);
    expect(editor.getState()).toMatchObject({ save: { kind: 'saved' }, saved: { version: 2 } });
    expect(world.localDraft).toBeNull();
  });

  it('sends what was typed during a save with the version that the save made', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    editor.flush();
    editor.edit(title('two', 'Second'), titleOf('two'));
    await world.advance(1000);
    await world.advance(1000);
    expect(world.saves.map(each => each.expectedVersion)).toEqual([1, 2]);
    expect(titles(world.server.content)).toEqual(['First', 'Second']);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('holds back what breaks a rule and keeps it on the device', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    editor.edit(title('one', ''), titleOf('one'));
    await world.advance(5000);
    expect(world.saves).toHaveLength(0);
    expect(editor.getState().save).toMatchObject({ kind: 'held', violations: [{ path: 'steps.0.title' }] });
    expect(world.localDraft?.content.steps[0]?.title).toBe('');
    editor.edit(title('one', 'First'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('keeps asking through an outage, less and less often, and then saves', async () => {
    const world = new TestEnvironment();
    world.scriptedOutcomes = [outage, outage];
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'waiting', retryAt: world.time + 1000 });
    expect(world.localDraft?.content.steps[0]?.title).toBe('First');
    await world.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'waiting', retryAt: world.time + 2000 });
    await world.advance(2000);
    expect(editor.getState().save.kind).toBe('saved');
    expect(world.localDraft).toBeNull();
  });

  it('stops when the server refuses, and goes on after the next change', async () => {
    const world = new TestEnvironment();
    world.scriptedOutcomes = [failure({ kind: 'graphql', code: 'TOUR_ARCHIVED' })];
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save.kind).toBe('refused');
    await world.advance(60_000);
    expect(world.saves).toHaveLength(1);
    editor.edit(title('one', 'Once more'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('sends the rest when the screen closes', async () => {
    const world = new TestEnvironment();
    const editor = createEditor(world.server, world.effects);
    const unsubscribe = editor.subscribe(() => undefined);
    editor.edit(title('one', 'First'), titleOf('one'));
    unsubscribe();
    await world.advance(0);
    expect(titles(world.server.content)).toEqual(['First', 'Two']);
    expect(world.localDraft).toBeNull();
  });
});

describe('a newer version on the server', () => {
  it('is shown as a conflict when both changed the same field, and the choice is saved on top of it', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(2, title('one', 'By Ana')(content));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save).toMatchObject({ kind: 'conflict', theirs: { version: 2, author: 'Ana' } });
    expect(world.localDraft).not.toBeNull();
    editor.resolve(title('one', 'Mine')(world.server.content));
    await world.advance(1000);
    expect(world.saves.at(-1)?.expectedVersion).toBe(2);
    expect(titles(world.server.content)).toEqual(['Mine', 'Two']);
  });

  it('is put together with the work by itself when they touch different fields, and says whose it was', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(2, changeStep(title('two', 'By Ana')(content), 'one', { body: 'By Ana too' }));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().mergedFrom).toBe('Ana');
    await world.advance(1000);
    expect(titles(world.server.content)).toEqual(['Mine', 'By Ana']);
    expect(world.server.content.steps[0]?.body).toBe('By Ana too');
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('loses no step when both added one under the same key', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(2, addStep(content, step('three', 'By Ana'), 2));
    editor.edit(at => addStep(at, step('three', 'Mine'), 2), { name: 'new step', step: 'three' });
    await world.advance(1000);
    await world.advance(1000);
    expect(titles(world.server.content).toSorted()).toEqual(['By Ana', 'Mine', 'One', 'Two']);
    expect(new Set(world.server.content.steps.map(each => each.key)).size).toBe(4);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['One', 'Two', 'By Ana']);
  });

  it('is no conflict when only its number is newer', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(7);
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await world.advance(1000);
    await world.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
    expect(world.server.version).toBe(8);
  });

  it('replaces the content when nothing is unsaved', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(2, title('two', 'By Ana')(content));
    editor.notifyVersion(2);
    await world.advance(0);
    expect(titles(editor.getState().content)).toEqual(['One', 'By Ana']);
  });
});

describe('work that was kept on the device', () => {
  it('goes on from what it is based on when what is at hand after a reload is older', async () => {
    const world = new TestEnvironment();
    const before = world.server;
    const other = { ...content, themeId: 'other' };
    world.server = saved(2, other);
    world.localDraft = { base: world.server, content: { ...other, steps: [] } };
    const editor = world.open(before);
    expect(editor.getState()).toMatchObject({
      restored: true,
      saved: { version: 2 },
      content: { themeId: 'other', steps: [] },
    });
  });

  it('is restored after a reload and saved', async () => {
    const world = new TestEnvironment();
    world.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    const editor = world.open();
    expect(editor.getState()).toMatchObject({ restored: true, save: { kind: 'pending' } });
    await world.advance(1000);
    expect(titles(world.server.content)).toEqual(['Kept', 'Two']);
  });

  it('meets a version that was saved meanwhile as a conflict, with the common state between them', () => {
    const world = new TestEnvironment();
    world.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    world.server = saved(3, title('one', 'By Ana')(content));
    const { save } = world.open().getState();
    expect(save).toMatchObject({ kind: 'conflict', base: { version: 1 }, theirs: { version: 3 } });
  });

  it('goes together with what was saved meanwhile elsewhere in the tour', async () => {
    const world = new TestEnvironment();
    world.localDraft = { content: title('one', 'Kept')(content), base: saved(1) };
    world.server = saved(3, title('two', 'By Ana')(content));
    const editor = world.open();
    await world.advance(1000);
    expect(titles(world.server.content)).toEqual(['Kept', 'By Ana']);
    expect(editor.getState().save.kind).toBe('saved');
  });

  it('is said not to be kept when the device has no room', () => {
    const world = new TestEnvironment();
    world.storageFull = true;
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    expect(editor.getState().storedLocally).toBe(false);
    world.storageFull = false;
    editor.edit(title('one', 'First of all'), titleOf('one'));
    expect(editor.getState().storedLocally).toBe(true);
  });

  it('is forgotten when the server has it already', () => {
    const world = new TestEnvironment();
    world.localDraft = { content, base: saved(0, title('one', 'Older')(content)) };
    expect(world.open().getState()).toMatchObject({ restored: false, save: { kind: 'saved' } });
    expect(world.localDraft).toBeNull();
  });
});

describe('undo and redo', () => {
  it('go back and forth through edits of every kind', () => {
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

  it('take what was typed without a pause as one edit, and each field as one of its own', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    for (const text of ['F', 'Fi', 'Fir']) editor.edit(title('one', text), titleOf('one'));
    editor.edit(title('two', 'S'), titleOf('two'));
    editor.edit(title('one', 'First'), titleOf('one'));
    world.time += 5000;
    editor.edit(title('one', 'First!'), titleOf('one'));
    const seen = [1, 2, 3, 4].map(() => {
      editor.undo();
      return titles(editor.getState().content).join(' ');
    });
    expect(seen).toEqual(['First S', 'Fir S', 'Fir Two', 'One Two']);
  });

  it('name a step as it is called after the edit', () => {
    const editor = new TestEnvironment().open();
    for (const text of ['F', 'First']) {
      const { change, description } = changeStepEdit(step('one', 'One'), { title: text });
      editor.edit(change, description);
    }
    expect(editor.getState().undo?.name).toBe('title of “First”');
  });

  it('reach behind a save, and what they bring back is saved too', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await world.advance(1000);
    expect(editor.getState().save.kind).toBe('saved');
    editor.undo();
    await world.advance(1000);
    expect(titles(world.server.content)).toEqual(['One', 'Two']);
    editor.redo();
    await world.advance(1000);
    expect(titles(world.server.content)).toEqual(['First', 'Two']);
    expect(world.saves.map(each => each.expectedVersion)).toEqual([1, 2, 3]);
  });

  it('take back only what was done here, not what somebody else saved meanwhile', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    editor.edit(title('one', 'First'), titleOf('one'));
    await world.advance(1000);
    world.server = saved(5, title('two', 'By Ana')(world.server.content));
    editor.notifyVersion(5);
    await world.advance(0);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['One', 'By Ana']);
    editor.redo();
    expect(titles(editor.getState().content)).toEqual(['First', 'By Ana']);
  });

  it('bring back what was given up in a conflict', async () => {
    const world = new TestEnvironment();
    const editor = world.open();
    world.server = saved(2, changeStep(title('one', 'By Ana')(content), 'two', { title: 'By Ana' }));
    editor.edit(title('one', 'Mine'), titleOf('one'));
    await world.advance(1000);
    editor.resolve(world.server.content);
    expect(titles(editor.getState().content)).toEqual(['By Ana', 'By Ana']);
    editor.undo();
    expect(titles(editor.getState().content)).toEqual(['Mine', 'By Ana']);
  });
});
