import { Link, Outlet, useLocation, useParams } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { SessionMenu } from '../../features/sign-in/screens/SessionMenu';
import { WorkspaceContext, type Workspace } from '../../features/workspace/workspace-context';
import { useViewerQuery, useWorkspaceHomeQuery } from '../../generated/hooks';
import { toAppError } from '../../shared/api/app-error';
import { roleName } from '../../shared/api/permissions';
import { t } from '../../shared/i18n/en/shell';
import { cx } from '../../shared/lib/class-names';
import { paths, routeIds } from '../../shared/lib/paths';
import { AppearanceMenu } from '../../shared/ui/AppearanceMenu';
import { IconButton } from '../../shared/ui/Button';
import { Loaded } from '../../shared/ui/Loaded';
import { Logo } from '../../shared/ui/Logo';
import { NotFound } from '../../shared/ui/NotFoundPage';
import { skipLinkStyle, SKIP_LINKS } from '../../shared/ui/SkipLink';
import { Commands } from './Commands';
import { ReviewUpdates, useReviewsForMe } from './ReviewInbox';
import { WorkspaceNav } from './WorkspaceNav';
import { WorkspaceSwitcher } from './WorkspaceSwitcher';

/** Waypost's own tours. Loaded lazily, because they have the lowest priority. */
const OwnTours = lazy(async () => ({ default: (await import('../../demo/OwnTours')).OwnTours }));
/** Most workspaces are no sample. */
const SampleNotice = lazy(async () => ({
  default: (await import('../../features/workspace/SampleNotice')).SampleNotice,
}));
const MobileMenu = lazy(async () => ({ default: (await import('./MobileMenu')).MobileMenu }));

/** Navigation is at the side or, on narrow screens, at the top. */
export function WorkspaceShell() {
  const { workspace: slug } = useParams({ from: routeIds.workspace });
  const result = useWorkspaceHomeQuery({ variables: { slug } });
  // A removed workspace, or one that the member has left, is still cached.
  const isGone = result.data && result.error && toAppError(result.error).code === 'NOT_FOUND';
  const workspace = isGone ? null : result.data?.workspace;
  const accountId = useViewerQuery().data?.viewer.account.id;
  return (
    <div className="lg:grid lg:min-h-[calc(100dvh-var(--banner-height,0px))] lg:grid-cols-[15.5rem_minmax(0,1fr)]">
      <a href="#main" className={skipLinkStyle}>
        {t.frame.skip}
      </a>
      <div id={SKIP_LINKS} className="contents" />
      <Sidebar workspace={workspace ?? null} />
      <main id="main" tabIndex={-1} className="min-w-0 outline-none">
        {isGone ? (
          <NotFound thing="workspace" />
        ) : (
          <Loaded result={result} label={t.frame.loadingWorkspace} page>
            {data =>
              data.workspace ? (
                <WorkspaceContext value={data.workspace}>
                  {data.workspace.sample ? (
                    <Suspense fallback={null}>
                      <SampleNotice />
                    </Suspense>
                  ) : null}
                  <Outlet />
                </WorkspaceContext>
              ) : (
                <NotFound thing="workspace" />
              )
            }
          </Loaded>
        )}
      </main>
      {workspace ? <ReviewUpdates key={workspace.id} workspace={workspace} /> : null}
      {workspace && accountId ? (
        <Suspense fallback={null}>
          <OwnTours accountId={accountId} />
        </Suspense>
      ) : null}
    </div>
  );
}

function Sidebar({ workspace }: { workspace: Workspace | null }) {
  return (
    <header className="flex items-center gap-2 border-b border-line bg-sunken px-3 py-2 lg:sticky lg:top-(--banner-height,0px) lg:h-[calc(100dvh-var(--banner-height,0px))] lg:flex-col lg:items-stretch lg:gap-5 lg:overflow-y-auto lg:border-r lg:border-b-0 lg:p-4">
      {workspace ? <MenuButton workspace={workspace} /> : null}
      <Link to={paths.home} className="flex items-center gap-2 rounded-control px-1.5 py-1 font-semibold">
        <Logo />
        Waypost
      </Link>
      {workspace ? (
        <div className="ml-auto lg:ml-0 lg:grid">
          <Commands key={workspace.id} workspace={workspace} />
        </div>
      ) : null}
      {workspace ? (
        <div className="hidden min-h-0 grow flex-col gap-5 lg:flex">
          <WorkspaceSwitcher current={workspace} />
          <WorkspaceNav workspace={workspace} />
        </div>
      ) : (
        <div className="hidden grow lg:block" />
      )}
      <div className={cx('flex items-center gap-1 lg:ml-0 lg:justify-between', !workspace && 'ml-auto')}>
        <div data-tour="session-menu" className="min-w-0">
          <SessionMenu role={workspace ? roleName(workspace.myRole) : null} />
        </div>
        <AppearanceMenu />
      </div>
    </header>
  );
}

function MenuButton({ workspace }: { workspace: Workspace }) {
  const { pathname } = useLocation();
  // For one path, so that following a link closes it.
  const [openAt, setOpenAt] = useState<string | null>(null);
  const { length: reviews } = useReviewsForMe(workspace);
  return (
    <>
      <span className="relative lg:hidden">
        <IconButton
          label={reviews > 0 ? `${t.frame.openMenu}, ${t.inbox.count(reviews)}` : t.frame.openMenu}
          icon="menu"
          aria-haspopup="dialog"
          onClick={() => setOpenAt(pathname)}
        />
        {reviews > 0 ? (
          <span
            aria-hidden="true"
            className="pointer-events-none absolute top-1.5 right-1.5 size-2.5 rounded-full bg-brand"
          />
        ) : null}
      </span>
      {openAt === pathname ? (
        <Suspense fallback={null}>
          <MobileMenu workspace={workspace} onClose={() => setOpenAt(null)} />
        </Suspense>
      ) : null}
    </>
  );
}
