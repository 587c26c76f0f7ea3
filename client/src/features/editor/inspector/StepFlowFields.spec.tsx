import { describe, expect, it, vi } from 'vitest';
import { act, cleanup, fireEvent, render, screen } from '../../../shared/testing';
import { newStep, type Step } from '../../tour/draft';
import { draftStep as step } from '../../tour/fixtures';
import { StepFlowFields } from './StepFlowFields';

function show(first: Step, unreachableNext: Step | null) {
  const onChange = vi.fn<(change: Partial<Step>) => void>();
  render(
    <StepFlowFields
      step={first}
      steps={[first, step('cart')]}
      path="steps.0"
      violations={[]}
      unreachableNext={unreachableNext}
      problem={() => undefined}
      onChange={onChange}
    />,
  );
  return onChange;
}

it('points the first branch at the next step, so that it stays reachable', () => {
  const onChange = show(step('welcome'), null);
  fireEvent.click(screen.getByRole('button', { name: 'Add branch' }));
  expect(onChange).toHaveBeenCalledWith({ branches: [{ to: 'cart', label: 'Next', when: null }] });
});

it('offers a branch to a step that all branches skip', () => {
  const skip = { to: null, label: 'No, thanks', when: null };
  const onChange = show(step('welcome', { branches: [skip] }), step('cart'));
  expect(screen.getByText('All branches skip “cart”, so no visitor sees it.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Add a branch to it' }));
  expect(onChange).toHaveBeenCalledWith({ branches: [skip, { to: 'cart', label: 'Next', when: null }] });
});

it('explains that ending the tour at the first step counts as dismissed', () => {
  const leave = { branches: [{ to: null, label: 'No, thanks', when: null }] };
  show(step('welcome', leave), null);
  expect(screen.getByText(/the run counts as dismissed/)).toBeTruthy();
  cleanup();
  show(step('welcome', { branches: [{ to: 'cart', label: 'Show me', when: null }] }), null);
  expect(screen.queryByText(/the run counts as dismissed/)).toBeNull();
});

it('of the last step says that the tour ends', () => {
  const last = step('welcome');
  render(
    <StepFlowFields
      step={last}
      steps={[last]}
      path="steps.0"
      violations={[]}
      unreachableNext={null}
      problem={() => undefined}
      onChange={() => undefined}
    />,
  );
  expect(screen.getByText('Ends the tour.')).toBeDefined();
  expect(screen.getByText('End the tour when')).toBeDefined();
});

describe('a wait', () => {
  const wait = (change: Partial<Step> = {}) => step('paid', { kind: 'WAIT', ...change });
  const ruleSelect = () =>
    screen.getByLabelText<HTMLSelectElement>('Continue when', { selector: '[data-field=advance] *' });
  const options = () => [...ruleSelect().options].map(each => each.text);

  it('has no rule selected after a change from a step with a button, and does not offer that rule', () => {
    const onChange = show(wait(), null);
    expect(ruleSelect().selectedOptions[0]?.text).toBe('Choose what to wait for');
    expect(options()).not.toContain('the button is clicked');
    fireEvent.change(ruleSelect(), { target: { value: 'DELAY' } });
    expect(onChange).toHaveBeenCalledWith({ advance: { ...newStep([]).advance, on: 'DELAY' } });
  });

  it('shows the selected rule', () => {
    show(wait({ advance: { ...newStep([]).advance, on: 'PAGE' } }), null);
    expect(ruleSelect().selectedOptions[0]?.text).toBe('a page is opened');
    expect(options()).not.toContain('Choose what to wait for');
  });

  it('explains that a labeled branch is not taken, and keeps the focus while the label is cleared', () => {
    const branch = { to: 'cart', label: 'Show me', when: null };
    const first = wait({ branches: [branch] });
    const fields = (of: Step) => (
      <StepFlowFields
        step={of}
        steps={[of, step('cart')]}
        path="steps.0"
        violations={[]}
        unreachableNext={null}
        problem={() => undefined}
        onChange={onChange}
      />
    );
    const onChange = vi.fn<(change: Partial<Step>) => void>(change => rerender(fields({ ...first, ...change })));
    const { rerender } = render(fields(first));
    const label = () => screen.queryByLabelText(/^Button label/);
    expect(screen.getByText(/^Waits have no buttons/)).toBeDefined();
    act(() => label()?.focus());
    fireEvent.change(label() ?? document, { target: { value: '' } });
    expect(onChange).toHaveBeenCalledWith({ branches: [{ ...branch, label: null }] });
    expect(document.activeElement).toBe(label());
    act(() => label()?.blur());
    expect(label()).toBeNull();
  });
});
