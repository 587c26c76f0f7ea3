import { expect, it, vi } from 'vitest';
import type { EligibilityCheck, ExplainQuery, IneligibleReason } from '../../generated/operations';
import { t } from '../../shared/i18n/en/explain';
import { render, screen, within } from '../../shared/testing';
import { ExplanationView } from './ExplainPanel';

vi.mock('../workspace/workspace-context', () => ({
  useWorkspace: () => ({ slug: 'acme', sites: [{ id: 'shop', name: 'Shop' }] }),
}));
vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: string }) => <a href="/">{children}</a>,
}));

const check = (name: EligibilityCheck, reason: IneligibleReason | null = null) => ({
  check: name,
  passed: reason === null,
  reason,
  at: null,
  expected: reason === 'OTHER_PAGE' ? '/cart' : null,
  found: reason === 'OTHER_PAGE' ? '/home' : null,
});

const show = (checks: ReturnType<typeof check>[]) => {
  const explanation: ExplainQuery['explain'] = {
    wouldPlay: checks.every(({ passed }) => passed),
    resumes: false,
    checks,
  };
  render(<ExplanationView explanation={explanation} tour={{ id: 't', slug: 't', title: 'Tour' }} siteId="shop" />);
};

it('shows the first failed check large with its fix, and hides those that are met', () => {
  show([check('ORIGIN'), check('RELEASE'), check('FREQUENCY', 'SEEN'), check('PAGE', 'OTHER_PAGE')]);
  expect(screen.getByRole('heading', { name: 'Already shown as often as allowed.' })).toBeTruthy();
  expect(screen.getByRole('link', { name: t.reasons.SEEN.fix })).toBeTruthy();
  const others = screen.getByRole('list', { name: t.alsoNotMet });
  expect(within(others).getAllByRole('listitem')).toHaveLength(1);
  expect(within(others).getByText(/The tour starts on \/cart/)).toBeTruthy();
  const met = screen.getByText('2 checks met').closest('details');
  expect(met?.open).toBe(false);
});

it('says that the tour starts if all checks are met', () => {
  show([check('ORIGIN'), check('RELEASE')]);
  expect(screen.getByRole('heading', { name: t.starts })).toBeTruthy();
  expect(screen.queryByRole('list', { name: t.alsoNotMet })).toBeNull();
});
