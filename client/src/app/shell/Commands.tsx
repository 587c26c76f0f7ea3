import { useNavigate, useRouter } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useEffectEvent, useState } from 'react';
import type { Workspace } from '../../features/workspace/workspace-context';
import { t } from '../../shared/i18n/en/shell';
import { setAppearance } from '../../shared/lib/appearance';
import { paths } from '../../shared/lib/paths';
import { singleKeys, commandFor, useCommands, type Command } from '../../shared/ui/commands';
import { Icon } from '../../shared/ui/Icon';
import { Keys } from '../../shared/ui/Keys';
import { toast } from '../../shared/ui/toast';
import { linksFor } from './WorkspaceNav';

const CommandPalette = lazy(async () => ({ default: (await import('./CommandPalette')).CommandPalette }));
const ShortcutsDialog = lazy(async () => ({ default: (await import('./ShortcutsDialog')).ShortcutsDialog }));

export function Commands({ workspace }: { workspace: Workspace }) {
  const navigate = useNavigate();
  const [open, setOpen] = useState<'palette' | 'shortcuts' | null>(null);
  const params = { workspace: workspace.slug };
  const router = useRouter();
  const explain = async () => {
    // From the page of a tour, this tour.
    const current = router.state.matches.at(-1)?.params;
    const search = current && 'tour' in current ? { tour: current.tour } : {};
    await navigate({ to: paths.visitors, params, search });
    if (workspace.sites.length > 0) toast(t.commands.explainHelp);
  };
  useCommands([
    {
      id: 'palette',
      name: t.commands.palette,
      group: t.commands.go,
      keys: ['mod+k'],
      keysOnly: true,
      run: () => setOpen('palette'),
    },
    ...linksFor(workspace.myRole).map(({ to, icon, name }): Command => {
      const run = () => void navigate({ to, params });
      return { id: to, name: t.nav[name], group: t.commands.go, icon, run };
    }),
    {
      id: 'workspaces',
      name: t.commands.workspaces,
      group: t.commands.go,
      icon: 'sites',
      run: () => void navigate({ to: paths.workspaces }),
    },
    { id: 'explain', name: t.commands.explain, group: t.commands.go, icon: 'person', run: () => void explain() },
    {
      id: 'shortcuts',
      name: t.commands.shortcuts,
      group: t.commands.help,
      icon: 'info',
      keys: ['?'],
      run: () => setOpen('shortcuts'),
    },
    { id: 'light', name: t.commands.light, group: t.commands.help, icon: 'sun', run: () => setAppearance('light') },
    { id: 'dark', name: t.commands.dark, group: t.commands.help, icon: 'moon', run: () => setAppearance('dark') },
    {
      id: 'device',
      name: t.commands.device,
      group: t.commands.help,
      icon: 'device',
      run: () => setAppearance('device'),
    },
  ]);

  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || isCovered()) return;
    const command = commandFor(event, singleKeys.get());
    if (!command) return;
    event.preventDefault();
    if (command.reason) toast(command.reason);
    else command.run?.();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    window.addEventListener('keydown', listener);
    return () => window.removeEventListener('keydown', listener);
  }, []);

  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={() => setOpen('palette')}
        className="inline-flex min-h-8 items-center gap-2 rounded-control px-2 text-muted hover:bg-surface hover:text-ink lg:min-h-10 lg:border lg:border-line lg:bg-surface/60 lg:px-3"
      >
        <Icon name="search" className="size-4" />
        <span className="sr-only grow text-left lg:not-sr-only">{t.commands.search}</span>
        <span aria-hidden="true" className="hidden lg:inline">
          <Keys keys="mod+k" />
        </span>
      </button>
      <Suspense fallback={null}>
        {open === 'palette' ? <CommandPalette workspace={workspace} onClose={() => setOpen(null)} /> : null}
        {open === 'shortcuts' ? <ShortcutsDialog onClose={() => setOpen(null)} /> : null}
      </Suspense>
    </>
  );
}

/**
 * A dialog, a tour step or the preview covers the screen. Tests `data-wp-step`, because intro.js removes elements
 * later.
 */
const isCovered = (): boolean =>
  document.querySelector('[data-dialog], html[data-wp-step]') !== null ||
  (document.getElementById('root')?.hasAttribute('inert') ?? false);
