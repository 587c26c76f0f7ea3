/** The editor's commands, for the palette and the keyboard. */
import { useCommands, type Command } from '../lib/commands';
import type { Step } from './draft';
import type { EditorState } from './editor';
import { stepName } from './field-words';
import { tools } from './markdown-tools';
import type { ProblemEntry } from './problems';
import type { EditorActions } from './use-editor-actions';
import type { StepSelection } from './use-step-selection';

const EDIT = 'Edit this tour';
const STEPS = 'Steps';
const LIST = 'In the list of steps';

/** What the keys do in the list is known there; here it is only named. */
const inList: readonly Command[] = [
  { id: 'list.walk', name: 'Go to the step above or below', group: LIST, keys: ['arrowup', 'arrowdown'], keysOnly: true },
  { id: 'list.up', name: 'Move the step up', group: LIST, keys: ['alt+arrowup'], keysOnly: true },
  { id: 'list.down', name: 'Move the step down', group: LIST, keys: ['alt+arrowdown'], keysOnly: true },
  { id: 'list.delete', name: 'Delete the step', group: LIST, keys: ['delete'], keysOnly: true },
];

const TEXT = 'In the text of a step';
const inText: readonly Command[] = tools.map(({ name, keys }) => ({
  id: `text.${name}`,
  name,
  group: TEXT,
  keys: [keys],
  keysOnly: true,
}));

export function useEditorCommands(options: {
  state: EditorState;
  steps: StepSelection;
  step: Step | undefined;
  readOnly: string | null;
  full: string | null;
  problems: readonly ProblemEntry[];
  actions: EditorActions;
  onSave: () => void;
  onPreview: () => void;
}): void {
  const { state, steps, step, readOnly, full, problems, actions, onSave, onPreview } = options;
  const { content, undo, redo } = state;
  const none = 'Choose a step first.';
  // Made anew with each render: the list is short, and what it closes over is current.
  const commands: Command[] = [
    {
      id: 'undo',
      name: undo ? `Undo: ${undo.name}` : 'Undo',
      group: EDIT,
      icon: 'undo',
      keys: ['mod+z'],
      reason: readOnly ?? (undo ? null : 'There is nothing to undo.'),
      run: actions.undo,
    },
    {
      id: 'redo',
      name: redo ? `Redo: ${redo.name}` : 'Redo',
      group: EDIT,
      icon: 'redo',
      keys: ['mod+shift+z', 'mod+y'],
      reason: readOnly ?? (redo ? null : 'There is nothing to redo.'),
      run: actions.redo,
    },
    {
      id: 'add',
      name: 'Add a step',
      group: EDIT,
      icon: 'plus',
      keys: ['mod+enter'],
      reason: readOnly ?? full,
      run: actions.add,
    },
    {
      id: 'duplicate',
      name: step ? `Duplicate ${stepName(step)}` : 'Duplicate the step',
      group: EDIT,
      icon: 'copy',
      keys: ['mod+d'],
      reason: readOnly ?? full ?? (step ? null : none),
      run: () => step && actions.duplicate(step.key),
    },
    {
      id: 'delete',
      name: step ? `Delete ${stepName(step)}` : 'Delete the step',
      group: EDIT,
      icon: 'trash',
      reason: readOnly ?? (step ? null : none),
      run: () => step && actions.remove(step.key),
    },
    {
      id: 'preview',
      name: 'Preview',
      group: EDIT,
      icon: 'play',
      keys: ['mod+shift+enter'],
      reason: content.steps.length === 0 ? 'Add a step first.' : null,
      run: onPreview,
    },
    { id: 'save', name: 'Save now', group: EDIT, icon: 'check', keys: ['mod+s'], reason: readOnly, run: onSave },
    ...walk(steps, actions),
    { id: 'rules', name: 'Start and theme', group: STEPS, icon: 'settings', run: () => actions.jump('rules') },
    ...content.steps.map((each, index): Command => ({
      id: `step.${each.key}`,
      name: `Step ${index + 1}: ${each.title || each.key}`,
      group: STEPS,
      icon: each.kind === 'MODAL' ? 'modal' : 'spotlight',
      run: () => actions.jumpToStep(each.key),
    })),
    ...problems.map((each): Command => ({
      id: `problem.${each.id}`,
      name: each.text,
      group: 'Problems',
      icon: 'warning',
      run: () => actions.goTo(each.place),
    })),
    ...inList,
    ...inText,
  ];
  useCommands(commands);
}

function walk({ ids, index }: StepSelection, actions: EditorActions): Command[] {
  const to = (by: number) => {
    const next = ids[index + by];
    if (next) actions.jump({ step: next.id });
  };
  return [
    {
      id: 'step.previous',
      name: 'Previous step',
      group: STEPS,
      keys: ['alt+pageup'],
      keysOnly: true,
      reason: index > 0 ? null : 'It is the first step.',
      run: () => to(-1),
    },
    {
      id: 'step.next',
      name: 'Next step',
      group: STEPS,
      keys: ['alt+pagedown'],
      keysOnly: true,
      reason: index < ids.length - 1 ? null : 'It is the last step.',
      run: () => to(1),
    },
  ];
}
