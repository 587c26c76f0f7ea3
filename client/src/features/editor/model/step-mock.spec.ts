import { describe, expect, it } from 'vitest';
import { newStep } from '../../tour/draft';
import { draftStep as step } from '../../tour/fixtures';
import { mockOf } from './step-mock';

const branch = (label: string | null, to: string | null) => ({ label, to, when: null });

describe('the thumbnail of a step', () => {
  it('shows count, Back and Next as the player does', () => {
    const steps = [step('wait', { kind: 'WAIT' }), step('a'), step('b'), step('hint', { kind: 'HOTSPOT' })];
    expect(mockOf(steps, 1)).toMatchObject({ count: '1 of 2', back: false, next: 'Next' });
    expect(mockOf(steps, 2)).toMatchObject({ count: '2 of 2', back: true, next: 'Done' });
    expect(mockOf([step('a'), step('b')], 1)).toMatchObject({ next: 'Done' });
  });

  it('shows no count if the tour branches, and Done if a branch leads to the end', () => {
    const branching = step('a', { branches: [branch('Show me', 'b'), branch('No, thanks', null)] });
    const steps = [branching, step('b', { branches: [branch(null, null)] }), step('c')];
    expect(mockOf(steps, 0)).toMatchObject({ count: '', back: false, choices: ['Show me', 'No, thanks'] });
    expect(mockOf(steps, 1)).toMatchObject({ count: '', back: true, next: 'Done' });
  });

  it('has no Next button if another advance rule completes the step', () => {
    const clicked = step('a', { advance: { ...newStep([]).advance, on: 'TARGET_CLICK' } });
    expect(mockOf([clicked, step('b')], 0)?.next).toBeNull();
  });
});
