import { useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../../shared/i18n/en/editor';
import { toast } from '../../../shared/ui/toast';
import { newStep, type Step } from '../../tour/draft';
import { stepName } from '../../tour/format-field';
import type { Editor } from '../model/editor';
import { addStepEdit, duplicateStepEdit, moveStepEdit, editTargetOf, removeStepEdit, type Edit } from '../model/edits';
import type { ProblemLocation } from '../model/problems';
import type { Selection, StepSelection } from './use-step-selection';

export interface EditorActions {
  readonly announcement: string;
  readonly edit: (edit: Edit) => void;
  readonly choose: (to: Selection) => void;
  readonly jump: (to: Selection, field?: string, selectText?: boolean) => void;
  readonly jumpToStep: (key: string, field?: string) => void;
  /** Focuses a field of the selected step. */
  readonly focusField: (field: string) => void;
  readonly goTo: (location: ProblemLocation) => void;
  readonly add: () => void;
  readonly remove: (key: string) => void;
  readonly duplicate: (key: string) => void;
  readonly move: (key: string, to: number) => void;
  readonly undo: () => void;
  readonly redo: () => void;
}

export function useEditorActions(
  editor: Editor,
  steps: StepSelection,
  list: RefObject<HTMLElement | null>,
  inspector: RefObject<HTMLElement | null>,
  /** Shows the texts of a language. */
  onLocale: (locale: string) => void,
): EditorActions {
  const [announcement, announce] = useState('');
  const currentContent = () => editor.getState().content;
  const stepOf = (key: string): Step | undefined => currentContent().steps.find(each => each.key === key);

  const findControl = (field?: string): HTMLElement | null => {
    const findWithin = (selector: string) =>
      inspector.current?.querySelector<HTMLElement>(
        `${selector} :is(input:not([type=radio]), input:checked, textarea, select)`,
      );
    const found = field ? findWithin(`[data-field="${field}"]`) : findWithin('[data-field="title"]');
    return found ?? findWithin('[data-field]') ?? null;
  };
  const focusField = (field?: string, selectText = false) => {
    const found = findControl(field);
    found?.closest('details')?.setAttribute('open', '');
    found?.focus();
    if (selectText && found instanceof HTMLInputElement) found.select();
  };
  // The control may not be rendered yet.
  const afterRender = (run: () => void) => requestAnimationFrame(run);
  const focusStep = (key: string | undefined) => {
    const id = key === undefined ? undefined : steps.idOf(key, currentContent().steps);
    afterRender(() => {
      const selector = id === undefined ? '[data-tour="step-add"]' : `[data-step="${CSS.escape(id)}"]`;
      list.current?.querySelector<HTMLElement>(selector)?.focus();
    });
  };
  // The palette and toasts are outside of React's events, and the focus must not move to an element that is about to
  // be removed.
  const select = (to: Selection) => flushSync(() => steps.select(to));
  const selectKey = (key: string) => {
    const id = steps.idOf(key, currentContent().steps);
    if (id !== undefined) select({ step: id });
  };
  const edit = ({ change, description }: Edit) => editor.edit(change, description);
  const jump = (to: Selection, field?: string, selectText = false) => {
    select(to);
    afterRender(() => focusField(field, selectText));
  };
  const jumpToStep = (key: string, field?: string) => {
    const id = steps.idOf(key, currentContent().steps);
    if (id !== undefined) jump({ step: id }, field);
  };

  const undoOrRedo = (direction: 'undo' | 'redo') => {
    const before = currentContent();
    const description = editor[direction]();
    if (!description) {
      announce(direction === 'undo' ? t.screen.nothingToUndo : t.screen.nothingToRedo);
      return;
    }
    announce(direction === 'undo' ? t.actions.undone(description.name) : t.actions.redone(description.name));
    const target = editTargetOf(before, currentContent(), description);
    const inList = list.current?.contains(document.activeElement) ?? false;
    if (target === null) {
      if (inList)
        focusStep(currentContent().steps[Math.max(0, Math.min(steps.index, currentContent().steps.length - 1))]?.key);
    } else if (target === 'languages') {
      select('languages');
    } else if ('rules' in target) {
      select('rules');
      if (!inList) afterRender(() => focusField(target.rules));
    } else {
      selectKey(target.step);
      if (inList) focusStep(target.step);
      else if (target.field) {
        const { field } = target;
        afterRender(() => {
          if (findControl(field) !== document.activeElement) focusField(field);
        });
      }
    }
  };
  const undo = () => undoOrRedo('undo');

  return {
    announcement,
    edit,
    choose: to => {
      select(to);
      // Below the list on a narrow screen, or scrolled.
      const top = inspector.current?.getBoundingClientRect().top ?? 0;
      if (top < 0 || top > window.innerHeight * 0.7) inspector.current?.scrollIntoView();
    },
    jump,
    jumpToStep,
    focusField: field => void afterRender(() => focusField(field)),
    goTo: location => {
      if (location.kind === 'step') jumpToStep(location.key, location.field);
      else if (location.kind === 'rules') jump('rules', location.field);
      else if (location.kind === 'languages') {
        flushSync(() => onLocale(location.locale));
        jump('languages', location.field);
      } else focusStep(currentContent().steps[0]?.key);
    },
    undo,
    redo: () => undoOrRedo('redo'),
    add: () => {
      const at = currentContent().steps;
      const created = newStep(at);
      edit(addStepEdit(created, steps.index < 0 ? at.length : steps.index + 1));
      selectKey(created.key);
      // A placeholder is overwritten.
      afterRender(() => focusField('title', true));
    },
    remove: key => {
      const removed = stepOf(key);
      if (!removed) return;
      const at = currentContent().steps.indexOf(removed);
      edit(removeStepEdit(removed));
      focusStep((currentContent().steps[at] ?? currentContent().steps[at - 1])?.key);
      toast(t.actions.deleted(stepName(removed)), {
        action: {
          label: t.screen.undo,
          run: () => {
            // Undo would lose later edits.
            if (!stepOf(key))
              edit({
                ...addStepEdit(removed, at),
                description: { name: t.edits.restore(stepName(removed)), step: key },
              });
            selectKey(key);
            focusStep(key);
          },
        },
      });
    },
    duplicate: key => {
      const step = stepOf(key);
      const duplicate = step && duplicateStepEdit(currentContent(), step);
      if (!duplicate) return;
      edit(duplicate);
      selectKey(duplicate.copy.key);
      focusStep(duplicate.copy.key);
      announce(t.actions.duplicated(stepName(duplicate.copy)));
    },
    move: (key, to) => {
      const step = stepOf(key);
      const count = currentContent().steps.length;
      const index = Math.max(0, Math.min(count - 1, to));
      if (!step) return;
      if (currentContent().steps.indexOf(step) === index) {
        announce(t.actions.alreadyAt(stepName(step), index + 1, count));
        return;
      }
      edit(moveStepEdit(step, index));
      announce(t.actions.nowAt(stepName(step), index + 1, count));
    },
  };
}
