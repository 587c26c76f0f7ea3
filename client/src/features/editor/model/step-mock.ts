import { availableChoices, countOf, hasPopoverBefore, isLast } from '../../../../embed/player/step-flow';
import { traitsOf } from '../../../../embed/player/step-kinds';
import { t } from '../../../shared/i18n/en/player';
import type { MockStep } from '../../theme/SpotlightMock';
import type { Step } from '../../tour/draft';

/** Draws every possible button, and no automatic branch. */
const always = () => true;
const never = () => false;

export const alwaysEndsAt = (steps: readonly Step[], at: number): boolean => isLast(steps, at, never);

export function mockOf(steps: readonly Step[], at: number): MockStep | null {
  const step = steps[at];
  if (!step || !traitsOf(step).popover) return null;
  const { kind, title, body, side, advance } = step;
  const choices = availableChoices(steps, at, always).map(({ label }) => label);
  const count = countOf(steps, at);
  const label = alwaysEndsAt(steps, at) ? (step.doneLabel ?? t.done) : (step.nextLabel ?? t.next);
  return {
    kind,
    title,
    body,
    side,
    choices,
    next:
      advance.on !== 'BUTTON' || choices.length > 0
        ? null
        : traitsOf(step).together
          ? (step.doneLabel ?? t.gotIt)
          : label,
    previous: step.previousLabel ?? t.previous,
    back: hasPopoverBefore(steps, at),
    count: count ? t.count(count.at, count.of) : '',
  };
}
