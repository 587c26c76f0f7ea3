/** What a person does to the steps, from the list, the keyboard or the palette: the edit, where the focus goes, what is said. */
import { useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../shared/i18n/en/editor';
import { toast } from '../../shared/ui/toast';
import { newStep, type Step } from '../tour/draft';
import { stepName } from '../tour/format-field';
import type { Editor } from './editor';
import { addingStep, duplicatingStep, movingStep, editTargetOf, removingStep, type Edit } from './edits';
import type { ProblemPlace } from './problems';
import type { Selection, StepSelection } from './use-step-selection';

export interface EditorActions {
  /** For screen readers. */
  readonly said: string;
  readonly edit: (edit: Edit) => void;
  /** Shows a step or the rules, where the person chose it in the list. */
  readonly choose: (to: Selection) => void;
  readonly jump: (to: Selection, field?: string, toReplace?: boolean) => void;
  readonly jumpToStep: (key: string, field?: string) => void;
  readonly goTo: (place: ProblemPlace) => void;
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
): EditorActions {
  const [said, setSaid] = useState('');
  const now = () => editor.getState().content;
  const stepOf = (key: string): Step | undefined => now().steps.find(each => each.key === key);

  /** The control of a field; without one, where writing begins. */
  const control = (field?: string): HTMLElement | null => {
    const within = (place: string) =>
      inspector.current?.querySelector<HTMLElement>(
        `${place} :is(input:not([type=radio]), input:checked, textarea, select)`,
      );
    const found = field ? within(`[data-field="${field}"]`) : within('[data-field="title"]');
    return found ?? within('[data-field]') ?? null;
  };
  const focusField = (field?: string, toReplace = false) => {
    const found = control(field);
    found?.closest('details')?.setAttribute('open', '');
    found?.focus();
    if (toReplace && found instanceof HTMLInputElement) found.select();
  };
  // Once the screen shows it: the inspector stands below the list on a narrow screen, and some fields are folded away.
  const afterwards = (run: () => void) => requestAnimationFrame(run);
  const focusStep = (key: string | undefined) => {
    const id = key === undefined ? undefined : steps.idOf(key, now().steps);
    afterwards(() => {
      const place = id === undefined ? '[data-tour="step-add"]' : `[data-step="${CSS.escape(id)}"]`;
      list.current?.querySelector<HTMLElement>(place)?.focus();
    });
  };
  // At once: what comes from the palette or a notice is no event of React's, and the focus must not go to what leaves.
  const select = (to: Selection) => flushSync(() => steps.select(to));
  const selectKey = (key: string) => {
    const id = steps.idOf(key, now().steps);
    if (id !== undefined) select({ step: id });
  };
  const edit = (made: Edit) => editor.edit(made.change, made.about);
  const jump = (to: Selection, field?: string, toReplace = false) => {
    select(to);
    afterwards(() => focusField(field, toReplace));
  };
  const jumpToStep = (key: string, field?: string) => {
    const id = steps.idOf(key, now().steps);
    if (id !== undefined) jump({ step: id }, field);
  };

  const turn = (way: 'undo' | 'redo') => {
    const before = now();
    const about = editor[way]();
    if (!about) {
      setSaid(way === 'undo' ? t.screen.nothingToUndo : t.screen.nothingToRedo);
      return;
    }
    setSaid(way === 'undo' ? t.actions.undone(about.name) : t.actions.redone(about.name));
    const place = editTargetOf(before, now(), about);
    const inList = list.current?.contains(document.activeElement) ?? false;
    if (place === null) {
      if (inList) focusStep(now().steps[Math.max(0, Math.min(steps.index, now().steps.length - 1))]?.key);
    } else if ('rules' in place) {
      select('rules');
      if (!inList) afterwards(() => focusField(place.rules));
    } else {
      selectKey(place.step);
      if (inList) focusStep(place.step);
      else if (place.field) {
        const { field } = place;
        afterwards(() => {
          if (control(field) !== document.activeElement) focusField(field);
        });
      }
    }
  };
  const undo = () => turn('undo');

  return {
    said,
    edit,
    choose: to => {
      select(to);
      // On a narrow screen it stands below the list, out of sight.
      const top = inspector.current?.getBoundingClientRect().top ?? 0;
      if (top > window.innerHeight * 0.7) inspector.current?.scrollIntoView();
    },
    jump,
    jumpToStep,
    goTo: place => {
      if (place.kind === 'step') jumpToStep(place.key, place.field);
      else if (place.kind === 'rules') jump('rules', place.field);
      else focusStep(now().steps[0]?.key);
    },
    undo,
    redo: () => turn('redo'),
    add: () => {
      const at = now().steps;
      const created = newStep(at);
      edit(addingStep(created, steps.index < 0 ? at.length : steps.index + 1));
      selectKey(created.key);
      // Its title is only a name to begin with: what is typed next takes its place.
      afterwards(() => focusField('title', true));
    },
    remove: key => {
      const removed = stepOf(key);
      if (!removed) return;
      const at = now().steps.indexOf(removed);
      edit(removingStep(removed));
      focusStep((now().steps[at] ?? now().steps[at - 1])?.key);
      toast(t.actions.deleted(stepName(removed)), {
        action: {
          label: t.screen.undo,
          run: () => {
            // What was done since stays: only the step comes back.
            if (!stepOf(key))
              edit({ ...addingStep(removed, at), about: { name: t.edits.comeBack(stepName(removed)), step: key } });
            selectKey(key);
            focusStep(key);
          },
        },
      });
    },
    duplicate: key => {
      const step = stepOf(key);
      const made = step && duplicatingStep(now(), step);
      if (!made) return;
      edit(made);
      selectKey(made.copy.key);
      focusStep(made.copy.key);
      setSaid(t.actions.duplicated(stepName(made.copy)));
    },
    move: (key, to) => {
      const step = stepOf(key);
      const count = now().steps.length;
      const place = Math.max(0, Math.min(count - 1, to));
      if (!step) return;
      if (now().steps.indexOf(step) === place) {
        setSaid(t.actions.alreadyAt(stepName(step), place + 1, count));
        return;
      }
      edit(movingStep(step, place));
      setSaid(t.actions.nowAt(stepName(step), place + 1, count));
    },
  };
}
