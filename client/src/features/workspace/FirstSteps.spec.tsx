import { expect, it, vi } from 'vitest';
import { t } from '../../shared/i18n/en/tour';
import { render, screen } from '../../shared/testing';
import { FirstSteps } from './FirstSteps';
import { emptyWorkspace } from './fixtures';
import { WorkspaceContext, type Workspace } from './workspace-context';

vi.mock('@tanstack/react-router', () => ({ Link: ({ children }: { children: string }) => <span>{children}</span> }));

const show = (changes: Partial<Workspace>) =>
  render(
    <WorkspaceContext value={{ ...emptyWorkspace, ...changes }}>
      <FirstSteps tours={{ totalCount: 0, nodes: [], pageInfo: { hasNextPage: false, endCursor: null } }} />
    </WorkspaceContext>,
  );

it('is shown to administrators of a new workspace', () => {
  show({});
  expect(screen.getByRole('heading', { name: t.firstSteps.title })).toBeTruthy();
});

it.each([{ sample: true }, { myRole: 'AUTHOR' as const }])('is not shown in a workspace with %o', changes => {
  expect(show(changes).container.textContent).toBe('');
});
