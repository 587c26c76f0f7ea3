import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { newStep, type Step } from './draft';
import { WayFields } from './WayFields';

afterEach(cleanup);

const step = (key: string, change: Partial<Step> = {}): Step => ({ ...newStep([]), key, title: key, ...change });

function show(first: Step, passedOver: Step | null) {
  const onChange = vi.fn<(change: Partial<Step>) => void>();
  render(
    <WayFields
      step={first}
      steps={[first, step('cart')]}
      path="steps.0"
      violations={[]}
      passedOver={passedOver}
      problem={() => undefined}
      onChange={onChange}
    />,
  );
  return onChange;
}

it('adds the first branch beside the way that was there, so that no step is cut off', () => {
  const onChange = show(step('welcome'), null);
  fireEvent.click(screen.getByRole('button', { name: 'Add a branch' }));
  expect(onChange).toHaveBeenCalledWith({ branches: [{ to: 'cart', label: 'Next', when: null }] });
});

it('offers a branch to the step that all others lead past', () => {
  const skip = { to: null, label: 'No, thanks', when: null };
  const onChange = show(step('welcome', { branches: [skip] }), step('cart'));
  expect(screen.getByText('Every branch leads past “cart”, so nobody sees it.')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Lead on to it too' }));
  expect(onChange).toHaveBeenCalledWith({ branches: [skip, { to: 'cart', label: 'Next', when: null }] });
});

it('says that whoever leaves at the first step has declined', () => {
  const leave = { branches: [{ to: null, label: 'No, thanks', when: null }] };
  show(step('welcome', leave), null);
  expect(screen.getByText(/the insights count them as dismissed/)).toBeTruthy();
  cleanup();
  show(step('welcome', { branches: [{ to: 'cart', label: 'Show me', when: null }] }), null);
  expect(screen.queryByText(/the insights count them as dismissed/)).toBeNull();
});
