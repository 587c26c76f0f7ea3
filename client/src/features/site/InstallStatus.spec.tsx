import { cleanup, render } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import { t } from '../../shared/i18n/en/site';
import { WorkspaceContext, type Workspace } from '../workspace/workspace-context';
import { InstallStatus } from './InstallStatus';

const workspace: Workspace = {
  id: 'w',
  slug: 'acme',
  name: 'Acme',
  myRole: 'ADMIN',
  version: 1,
  requireReview: false,
  sample: false,
  sites: [],
  themes: [],
};

afterEach(cleanup);

it.each([
  [false, false, t.light.never],
  [true, false, t.light.sample],
  [true, true, t.light.own],
])('of a site without visits explains the state (sample: %s, own: %s)', (sample, own, expected) => {
  const status = render(
    <WorkspaceContext value={{ ...workspace, sample }}>
      <InstallStatus site={{ own, lastSeenAt: null }} />
    </WorkspaceContext>,
  );
  expect(status.container.textContent).toBe(expected);
});
