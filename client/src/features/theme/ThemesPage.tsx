import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { MutationThemeCreate } from '../../generated/fields';
import { useThemesQuery } from '../../generated/hooks';
import type { ThemeFields_ThemeFragment } from '../../generated/operations';
import { t } from '../../shared/i18n/en/theme';
import { usePageTitle } from '../../shared/lib/hooks';
import { paths } from '../../shared/lib/paths';
import { Badge } from '../../shared/ui/Badge';
import { Button } from '../../shared/ui/Button';
import { EmptyState } from '../../shared/ui/EmptyState';
import { Loaded } from '../../shared/ui/Loaded';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { Page } from '../../shared/ui/Page';
import { useReason, useWorkspace } from '../workspace/workspace-context';
import { sampleStep, SpotlightMock } from './SpotlightMock';
import { ThemeCreateDialog } from './ThemeCreateDialog';

export function ThemesPage() {
  usePageTitle(t.list.title);
  const { slug } = useWorkspace();
  const result = useThemesQuery({ variables: { slug } });
  const [creating, setCreating] = useState(false);
  const create = (
    <Button
      variant="primary"
      icon="plus"
      reason={useReason()(MutationThemeCreate)}
      data-tour="theme-new"
      onClick={() => setCreating(true)}
    >
      {t.list.new}
    </Button>
  );
  return (
    <Page title={t.list.title} description={t.list.description} actions={create}>
      <Loaded result={result} label={t.list.loading}>
        {({ workspace }) =>
          !workspace ? (
            <NotFound thing="workspace" />
          ) : workspace.themes.length === 0 ? (
            <EmptyState title={t.list.empty} action={create}>
              {t.list.emptyText}
            </EmptyState>
          ) : (
            <ul aria-label={t.list.title} className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
              {workspace.themes.map(theme => (
                <li key={theme.id}>
                  <ThemeCard theme={theme} workspace={slug} />
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
      <ThemeCreateDialog open={creating} onOpenChange={setCreating} />
    </Page>
  );
}

function ThemeCard({ theme, workspace }: { theme: ThemeFields_ThemeFragment; workspace: string }) {
  return (
    <Link
      to={paths.theme}
      params={{ workspace, theme: theme.id }}
      className="grid gap-3 rounded-card border border-line bg-surface p-3 shadow-card hover:border-edge"
    >
      <SpotlightMock theme={theme} step={sampleStep()} label={t.list.stepIn(theme.name)} />
      <span className="flex items-center justify-between gap-3 px-1 pb-1">
        <span className="truncate font-semibold">{theme.name}</span>
        {theme.isDefault ? <Badge tone="brand">{t.list.default}</Badge> : null}
      </span>
    </Link>
  );
}
