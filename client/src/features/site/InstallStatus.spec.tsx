import { expect, it } from 'vitest';
import { t } from '../../shared/i18n/en/site';
import { render } from '../../shared/testing';
import { emptyWorkspace } from '../workspace/fixtures';
import { WorkspaceContext } from '../workspace/workspace-context';
import { InstallStatus } from './InstallStatus';

it.each([
  [false, false, t.light.never],
  [true, false, t.light.sample],
  [true, true, t.light.own],
])('of a site without visits explains the state (sample: %s, own: %s)', (sample, own, expected) => {
  const status = render(
    <WorkspaceContext value={{ ...emptyWorkspace, sample }}>
      <InstallStatus site={{ own, lastSeenAt: null }} />
    </WorkspaceContext>,
  );
  expect(status.container.textContent).toBe(expected);
});
