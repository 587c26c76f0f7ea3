import { traitsOf } from '../../../../embed/player/step-kinds';
import { t } from '../../../shared/i18n/en/editor';
import { useCommands, type Command } from '../../../shared/ui/commands';
import type { Step } from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import type { EditorState } from '../model/editor';
import { tools } from '../model/markdown-tools';
import type { ProblemEntry } from '../model/problems';
import type { EditorActions } from './use-editor-actions';
import type { StepSelection } from './use-step-selection';

/** Shortcuts that `StepList` handles. Registered without an action, only for the list of shortcuts. */
const listShortcuts = (): readonly Command[] => {
  const shared = { group: t.commands.list, keysOnly: true };
  return [
    { ...shared, id: 'list.walk', name: t.commands.otherStep, keys: ['arrowup', 'arrowdown'] },
    { ...shared, id: 'list.up', name: t.commands.up, keys: ['alt+arrowup'] },
    { ...shared, id: 'list.down', name: t.commands.down, keys: ['alt+arrowdown'] },
    { ...shared, id: 'list.delete', name: t.commands.deleteIt, keys: ['delete'] },
  ];
};

const textShortcuts = (): readonly Command[] =>
  tools.map(({ name, keys }) => ({
    id: `text.${name}`,
    name: t.tools[name],
    group: t.commands.text,
    keys: [keys],
    keysOnly: true,
  }));

export function useEditorCommands(options: {
  state: EditorState;
  steps: StepSelection;
  step: Step | undefined;
  readOnly: string | null;
  limitReason: string | null;
  problems: readonly ProblemEntry[];
  actions: EditorActions;
  onSave: () => void;
  onPreview: () => void;
}): void {
  const { state, steps, step, readOnly, limitReason, problems, actions, onSave, onPreview } = options;
  const { content, undo, redo } = state;
  const selectFirst = t.commands.chooseFirst;
  // Closures must see current values.
  const commands: Command[] = [
    {
      id: 'undo',
      name: undo ? t.screen.undoNamed(undo.name) : t.screen.undo,
      group: t.commands.edit,
      icon: 'undo',
      keys: ['mod+z'],
      reason: readOnly ?? (undo ? null : t.screen.nothingToUndo),
      run: actions.undo,
    },
    {
      id: 'redo',
      name: redo ? t.screen.redoNamed(redo.name) : t.screen.redo,
      group: t.commands.edit,
      icon: 'redo',
      keys: ['mod+shift+z', 'mod+y'],
      reason: readOnly ?? (redo ? null : t.screen.nothingToRedo),
      run: actions.redo,
    },
    {
      id: 'add',
      name: t.commands.add,
      group: t.commands.edit,
      icon: 'plus',
      keys: ['mod+enter'],
      reason: readOnly ?? limitReason,
      run: actions.add,
    },
    {
      id: 'duplicate',
      name: step ? t.commands.duplicate(stepName(step)) : t.commands.duplicateIt,
      group: t.commands.edit,
      icon: 'copy',
      keys: ['mod+d'],
      reason: readOnly ?? limitReason ?? (step ? null : selectFirst),
      run: () => step && actions.duplicate(step.key),
    },
    {
      id: 'delete',
      name: step ? t.commands.delete(stepName(step)) : t.commands.deleteIt,
      group: t.commands.edit,
      icon: 'trash',
      reason: readOnly ?? (step ? null : selectFirst),
      run: () => step && actions.remove(step.key),
    },
    {
      id: 'preview',
      name: t.screen.preview,
      group: t.commands.edit,
      icon: 'play',
      keys: ['mod+shift+enter'],
      reason: content.steps.length === 0 ? t.screen.stepFirst : null,
      run: onPreview,
    },
    {
      id: 'save',
      name: t.save.saveNow,
      group: t.commands.edit,
      icon: 'check',
      keys: ['mod+s'],
      reason: readOnly,
      run: onSave,
    },
    ...stepNavigation(steps, actions),
    { id: 'rules', name: t.list.rules, group: t.list.steps, icon: 'settings', run: () => actions.jump('rules') },
    {
      id: 'languages',
      name: t.languages.title,
      group: t.list.steps,
      icon: 'language',
      run: () => actions.jump('languages', 'originalLocale'),
    },
    ...content.steps.map((each, index): Command => ({
      id: `step.${each.key}`,
      name: t.commands.step(index + 1, each.title || each.key),
      group: t.list.steps,
      icon: traitsOf(each).popover && !traitsOf(each).target ? 'modal' : 'spotlight',
      run: () => actions.jumpToStep(each.key),
    })),
    ...problems.map((each): Command => ({
      id: `problem.${each.id}`,
      name: each.text,
      group: t.problems.title,
      icon: 'warning',
      run: () => actions.goTo(each.location),
    })),
    ...listShortcuts(),
    ...textShortcuts(),
  ];
  useCommands(commands);
}

function stepNavigation({ ids, index }: StepSelection, actions: EditorActions): Command[] {
  const to = (by: number) => {
    const next = ids[index + by];
    if (next) actions.jump({ step: next.id });
  };
  return [
    {
      id: 'step.previous',
      name: t.commands.previous,
      group: t.list.steps,
      keys: ['alt+pageup'],
      keysOnly: true,
      reason: index > 0 ? null : t.list.isFirst,
      run: () => to(-1),
    },
    {
      id: 'step.next',
      name: t.commands.next,
      group: t.list.steps,
      keys: ['alt+pagedown'],
      keysOnly: true,
      reason: index < ids.length - 1 ? null : t.list.isLast,
      run: () => to(1),
    },
  ];
}
