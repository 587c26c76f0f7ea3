/** A step as the small preview in the editor draws it: counted, and with the buttons that it has, by the player's rules. */
import { choicesOf, countOf, hasPopoverBefore, isLast } from '../../player/step-flow';
import { t } from '../../shared/i18n/en/player';
import type { MockStep } from '../theme/SpotlightMock';
import type { Step } from '../tour/draft';

/** What only a page knows: every button that may be there is drawn, and what leads on by a condition does not. */
const always = () => true;
const never = () => false;

/** Whether a tour ends with a step, whatever its page is like. */
export const alwaysEndsAt = (steps: readonly Step[], at: number): boolean => isLast(steps, at, never);

export function mockOf(steps: readonly Step[], at: number): MockStep | null {
  const step = steps[at];
  if (!step || step.kind === 'WAIT') return null;
  const { kind, title, body, side, advance } = step;
  const choices = choicesOf(steps, at, always).map(({ label }) => label);
  const count = countOf(steps, at);
  const label = alwaysEndsAt(steps, at) ? (step.doneLabel ?? t.done) : (step.nextLabel ?? t.next);
  return {
    kind,
    title,
    body,
    side,
    choices,
    next: advance.on !== 'BUTTON' || choices.length > 0 ? null : kind === 'HINT' ? (step.doneLabel ?? t.gotIt) : label,
    previous: step.backLabel ?? t.previous,
    back: hasPopoverBefore(steps, at),
    count: count ? t.count(count.at, count.of) : '',
  };
}
