import { expect, it, vi } from 'vitest';
import type { Condition } from '../../../embed/player/condition';
import { t } from '../../shared/i18n/en/steps';
import { fireEvent, render, screen, within } from '../../shared/testing';
import { MAX_TESTS, newCondition, newGroup } from '../tour/condition-tree';
import { TourContext, type TourWithDraft } from '../tour/tour-context';
import { OptionalCondition } from './ConditionField';

const tours = vi.hoisted(() => [
  { id: 'own', title: 'This tour' },
  { id: 'other', title: 'Another tour' },
]);

vi.mock('../tour/tour-choices', () => ({ useTourChoices: () => ({ data: tours }) }));

vi.mock('../workspace/workspace-context', () => ({
  useWorkspace: () => ({ slug: 'acme', sites: [{ id: 'shop', own: false, lastSeenAt: null }] }),
}));
vi.mock('../../generated/hooks', () => ({
  useTourChoicesQuery: () => ({ data: { tours: { nodes: tours, totalCount: tours.length } } }),
  useSiteTraitsQuery: () => ({
    data: {
      site: {
        traits: [
          { key: 'role', values: ['buyer'] },
          { key: 'plan', values: ['pro', 'free'] },
        ],
      },
    },
  }),
}));

it('suggests the traits of visitors, and the values of the chosen one', () => {
  render(
    <OptionalCondition
      value={newCondition('trait')}
      path="start.when"
      violations={[]}
      onChange={vi.fn<() => void>()}
    />,
  );
  const suggestions = (label: string) => {
    const list = screen.getByLabelText<HTMLInputElement>(label).getAttribute('list') ?? '';
    return [...(document.getElementById(list)?.querySelectorAll('option') ?? [])].map(option => option.textContent);
  };
  expect(suggestions(t.condition.value)).toEqual(['pro', 'free']);
  expect(suggestions(t.condition.key)).toEqual(['role', 'plan']);
});

it('searches for another tour, does not offer the tour itself, and marks the condition only after the user has left it', () => {
  const onChange = vi.fn<(value: Condition | null) => void>();
  render(
    <TourContext value={{ id: 'own' } as TourWithDraft}>
      <OptionalCondition
        value={newCondition('tour')}
        path="start.when"
        violations={[
          { path: 'start.when.tour.tourId', problem: 'must not be empty', rule: 'length', params: { min: 1 } },
        ]}
        onChange={onChange}
      />
    </TourContext>,
  );
  const tour = screen.getByRole('combobox', { name: t.condition.tour });
  fireEvent.click(tour);
  const options = within(screen.getByRole('listbox')).getAllByRole('option');
  expect(options.map(option => option.textContent)).toEqual(['Another tour']);
  expect(screen.queryByText('Must not be empty.')).toBeNull();
  fireEvent.click(options[0] as HTMLElement);
  expect(onChange.mock.lastCall?.[0]?.tour?.tourId).toBe('other');
  fireEvent.blur(tour);
  expect(screen.getByText('Must not be empty.')).toBeTruthy();
});

it('adds no condition to a group if the tree has the maximum number of tests', () => {
  const test = newCondition('page');
  const full = Array.from({ length: MAX_TESTS / 2 }, () => test);
  const onChange = vi.fn<() => void>();
  render(
    <OptionalCondition
      value={newGroup('all', [newGroup('all', full), newGroup('all', full)])}
      path="start.when"
      violations={[]}
      onChange={onChange}
    />,
  );
  for (const add of screen.getAllByRole('button', { name: t.condition.add })) fireEvent.click(add);
  expect(onChange).not.toHaveBeenCalled();
});
