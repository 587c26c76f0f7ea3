import { afterEach, expect, it, vi } from 'vitest';
import { showLanguage } from '../../../shared/i18n/language';
import { cleanup, fireEvent, render, screen } from '../../../shared/testing';
import { newStep, type Step } from '../../tour/draft';
import { draftStep as step } from '../../tour/fixtures';
import { StepList } from './StepList';

afterEach(async () => {
  cleanup();
  await showLanguage('en');
});

function show(steps: readonly Step[], readOnly: string | null = null) {
  const handlers = { onMove: vi.fn<(key: string, to: number) => void>(), onRemove: vi.fn<(key: string) => void>() };
  render(
    <StepList
      locales={['en']}
      steps={steps}
      ids={steps.map(({ key }) => ({ id: key, key }))}
      selection="rules"
      problems={[]}
      violations={[]}
      localWarnings={[]}
      comments={[]}
      readOnly={readOnly}
      limitReason={null}
      onSelect={() => undefined}
      onAdd={() => undefined}
      onDuplicate={() => undefined}
      {...handlers}
    />,
  );
  return handlers;
}

const item = (name: RegExp) => screen.getByRole('button', { name });

it('shows the shortcuts for moving if there are several steps and they can be moved', () => {
  show([step('a'), step('b')]);
  expect(screen.getByText('Move step:').textContent).toBe('Move step:Alt↑Alt↓');
  cleanup();
  show([step('a')]);
  expect(screen.queryByText('Move step:')).toBeNull();
  cleanup();
  show([step('a'), step('b')], 'No permission.');
  expect(screen.queryByText('Move step:')).toBeNull();
});

it('moves and deletes steps by keys in every language', async () => {
  await showLanguage('de');
  const { onMove, onRemove } = show([step('a'), step('b')]);
  fireEvent.keyDown(item(/^1 ?a/), { key: 'ArrowDown', altKey: true });
  expect(onMove).toHaveBeenCalledWith('a', 1);
  fireEvent.keyDown(item(/^2 ?b/), { key: 'Delete' });
  expect(onRemove).toHaveBeenCalledWith('b');
});

it('shows the rule of a wait once it is selected', () => {
  const { advance } = newStep([]);
  show([step('a', { kind: 'WAIT' }), step('b', { kind: 'WAIT', advance: { ...advance, on: 'DELAY' } })]);
  expect(screen.getByText('Wait: not set')).toBeDefined();
  expect(screen.getByText('Wait: a delay has passed')).toBeDefined();
});
