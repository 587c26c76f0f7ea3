import { expect, it, vi } from 'vitest';
import { cleanup, fireEvent, render, screen } from '../../../shared/testing';
import { newStep, type Step } from '../../tour/draft';
import { draftStep as step } from '../../tour/fixtures';
import { StepInspector } from './StepInspector';

function show(steps: readonly Step[], index = 0) {
  const onChange = vi.fn<(change: Partial<Step>) => void>();
  const step = steps[index];
  if (!step) throw new Error('No step to show.');
  render(
    <StepInspector
      step={step}
      saved={undefined}
      index={index}
      violations={[]}
      problems={[]}
      imageFails={false}
      readOnly={null}
      steps={steps}
      onChange={onChange}
    />,
  );
  return onChange;
}

const hintOf = (label: RegExp) => {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby');
  return ids === null ? '' : document.querySelector(`[id="${ids}"]`)?.textContent;
};

it('explains why a popover before the end of the list uses the Done label', () => {
  show([step('a'), step('b', { kind: 'HOTSPOT' })]);
  expect(hintOf(/^Done button label/)).toBe('The button reads “Done” because only hotspots follow.');
  cleanup();
  show([step('a', { doneLabel: 'Go', branches: [{ to: null, label: null, when: null }] }), step('b')]);
  expect(hintOf(/^Done button label/)).toBe('The button reads “Go” because a branch ends the tour here.');
});

it('gives no explanation if the label is expected or there is no button', () => {
  const clicked = { advance: { ...newStep([]).advance, on: 'TARGET_CLICK' } } as const;
  for (const [label, steps] of [
    [/^Next button label/, [step('a'), step('b')]],
    [/^Done button label/, [step('a')]],
    [/^Done button label/, [step('a', { kind: 'HOTSPOT' }), step('b', { kind: 'HOTSPOT' })]],
    [/^Done button label/, [step('a', { kind: 'SPOTLIGHT', ...clicked }), step('b', { kind: 'HOTSPOT' })]],
  ] as const) {
    show(steps);
    expect(hintOf(label)).toBe('');
    cleanup();
  }
});

it('changes only the kind when another kind is selected', () => {
  const onChange = show([step('a', { kind: 'HOTSPOT' })]);
  fireEvent.click(screen.getByRole('radio', { name: 'Wait' }));
  expect(onChange.mock.calls).toEqual([[{ kind: 'WAIT' }]]);
});

it('suggests the kind of target of the step before', () => {
  const target = { by: 'SELECTOR', value: '#search' } as const;
  const steps = [step('a', { kind: 'TOOLTIP', target }), step('b'), step('c', { kind: 'TOOLTIP' })];
  const onChange = show(steps, 2);
  fireEvent.change(screen.getByLabelText('CSS selector'), { target: { value: '#cart' } });
  expect(onChange.mock.calls).toEqual([[{ target: { by: 'SELECTOR', value: '#cart' } }]]);
});
