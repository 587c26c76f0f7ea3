import { expect, it } from 'vitest';
import { playStep } from './fixtures';
import { whyLast } from './step-flow';
import type { PlayBranch, PlayStep, StepKind } from './types';

const step = (key: string, kind: StepKind, branches: readonly PlayBranch[] = []) => playStep(key, { kind, branches });

it('explains why a popover is the last one although more steps are listed', () => {
  const why = (...steps: PlayStep[]) => whyLast(steps, 0, () => false);
  const end: PlayBranch = { to: null, label: null, when: null };
  expect(why(step('a', 'MODAL'), step('b', 'HOTSPOT'), step('c', 'HOTSPOT'))).toBe('hotspotsFollow');
  expect(why(step('a', 'MODAL', [end]), step('b', 'MODAL'))).toBe('branchEnds');
  expect(why(step('a', 'MODAL', [{ ...end, to: 'c' }]), step('b', 'MODAL'), step('c', 'HOTSPOT'))).toBe(
    'hotspotsFollow',
  );
  expect(why(step('a', 'MODAL'), step('b', 'HOTSPOT'), step('c', 'MODAL')), 'another popover follows').toBeNull();
  expect(why(step('a', 'MODAL'), step('b', 'WAIT')), 'a wait step follows').toBeNull();
  expect(why(step('a', 'MODAL')), 'the list ends here').toBeNull();
});
