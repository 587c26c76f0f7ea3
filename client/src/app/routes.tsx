import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
  retainSearchParams,
} from '@tanstack/react-router';
import { auditVariables, readAuditSearch } from '../features/audit/audit-filter';
import { savePendingInvitation, pendingInvitation } from '../features/sign-in/session/pending-invitation';
import type { Since } from '../features/tour/last-review';
import { readToursSearch, toursVariables } from '../features/tour/tours-filter';
import { Tours } from '../generated/documents/Tours';
import { Viewer } from '../generated/documents/Viewer';
import { WorkspaceHome } from '../generated/documents/WorkspaceHome';
import type { RunState } from '../generated/operations';
import { RunStateValues } from '../generated/rules';
import { cachedWorkspaceId, prefetch } from '../shared/api/prefetch';
import { paths } from '../shared/lib/paths';
import { NotFoundPage } from '../shared/ui/NotFoundPage';
import { RootLayout } from './shell/RootLayout';
import { PageSkeleton, RouteError } from './shell/RouteError';
import { SessionRoot, SignedIn } from './shell/SessionGate';

const lazyDocuments = {
  audit: () => import('../generated/documents/Audit').then(it => it.Audit),
  members: () => import('../generated/documents/Members').then(it => it.Members),
  visitorTimeline: () => import('../generated/documents/VisitorTimeline').then(it => it.VisitorTimeline),
  segments: () => import('../generated/documents/Segments').then(it => it.Segments),
  sites: () => import('../generated/documents/Sites').then(it => it.Sites),
  themes: () => import('../generated/documents/Themes').then(it => it.Themes),
  tourEditor: () => import('../generated/documents/TourEditor').then(it => it.TourEditor),
  tourReleases: () => import('../generated/documents/TourReleases').then(it => it.TourReleases),
  tourRevisions: () => import('../generated/documents/TourRevisions').then(it => it.TourRevisions),
};

const root = createRootRoute({ component: RootLayout });

const session = createRoute({ getParentRoute: () => root, id: 'session', component: SessionRoot });

const signIn = createRoute({
  getParentRoute: () => session,
  path: paths.signIn,
  component: lazyRouteComponent(() => import('../features/sign-in/screens/SignInPage'), 'SignInPage'),
});

const signedOut = createRoute({
  getParentRoute: () => session,
  path: paths.signedOut,
  component: lazyRouteComponent(() => import('../features/sign-in/screens/SignInPage'), 'SignedOutPage'),
});

const callback = createRoute({
  getParentRoute: () => session,
  path: paths.callback,
  component: lazyRouteComponent(() => import('../features/sign-in/screens/CallbackPage'), 'CallbackPage'),
});

const invite = createRoute({
  getParentRoute: () => session,
  path: paths.invite,
  // The secret must not be visible, bookmarked or shared.
  beforeLoad: ({ location: { hash } }) => {
    if (!hash) return { invitation: pendingInvitation() };
    savePendingInvitation(hash);
    throw redirect({ to: paths.invite, replace: true });
  },
  component: lazyRouteComponent(() => import('../features/invitation/InvitePage'), 'InvitePage'),
});

const play = createRoute({
  getParentRoute: () => root,
  path: paths.play,
  component: lazyRouteComponent(() => import('../demo/PlayPage'), 'PlayPage'),
});

/** The same component, so that navigation in the demo shop does not start a new visit. */
const playCart = createRoute({ getParentRoute: () => play, path: '/cart' });

const signedIn = createRoute({ getParentRoute: () => session, id: 'signed-in', component: SignedIn });

const home = createRoute({
  getParentRoute: () => signedIn,
  path: paths.home,
  component: lazyRouteComponent(() => import('../features/workspace/HomePage'), 'HomePage'),
});

const workspaces = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspaces,
  loader: () => prefetch(Viewer, {}),
  component: lazyRouteComponent(() => import('../features/workspace/WorkspacesPage'), 'WorkspacesPage'),
});

const workspace = createRoute({
  getParentRoute: () => signedIn,
  path: paths.workspace,
  loader: ({ params }) => prefetch(WorkspaceHome, { slug: params.workspace }),
  component: lazyRouteComponent(() => import('./shell/WorkspaceShell'), 'WorkspaceShell'),
});

const workspaceIndex = createRoute({
  getParentRoute: () => workspace,
  path: '/',
  beforeLoad: ({ params }) => {
    throw redirect({ to: paths.tours, params, replace: true });
  },
});

const opensNew = (raw: Record<string, unknown>): { new?: true } => (raw['new'] === true ? { new: true } : {});

const tours = createRoute({
  getParentRoute: () => workspace,
  path: 'tours',
  validateSearch: readToursSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => {
    const workspaceId = cachedWorkspaceId(params.workspace);
    if (workspaceId) prefetch(Tours, toursVariables(workspaceId, deps));
  },
  component: lazyRouteComponent(() => import('../features/tour/ToursPage'), 'ToursPage'),
});

const tour = createRoute({
  getParentRoute: () => workspace,
  path: 'tours/$tour',
  loader: ({ params }) => {
    const workspaceId = cachedWorkspaceId(params.workspace);
    if (workspaceId) prefetch(lazyDocuments.tourEditor(), { workspaceId, slug: params.tour });
  },
  component: lazyRouteComponent(() => import('../features/tour/TourFrame'), 'TourFrame'),
});

const tourEditor = createRoute({
  getParentRoute: () => tour,
  path: '/',
  // The step to select and the field to focus, for links from insights.
  validateSearch: ({ step, field }: Record<string, unknown>): { step?: string; field?: string } => ({
    ...(typeof step === 'string' ? { step } : {}),
    ...(typeof step === 'string' && typeof field === 'string' ? { field } : {}),
  }),
  component: lazyRouteComponent(() => import('../features/editor/screen/EditorPage'), 'EditorPage'),
});

const tourRevisions = createRoute({
  getParentRoute: () => tour,
  path: 'revisions',
  // `at` is a revision's number, `since` that of another or a review's id. `ask` opens the review request.
  validateSearch: ({ since, at, ask }: Record<string, unknown>): { since?: Since; at?: number; ask?: true } => ({
    ...(typeof since === 'string' || (typeof since === 'number' && Number.isInteger(since) && since >= 0)
      ? { since }
      : {}),
    ...(typeof at === 'number' && Number.isInteger(at) && at >= 1 ? { at } : {}),
    ...(ask === true ? { ask } : {}),
  }),
  loader: ({ params }) => {
    const workspaceId = cachedWorkspaceId(params.workspace);
    if (workspaceId) prefetch(lazyDocuments.tourRevisions(), { workspaceId, slug: params.tour });
  },
  component: lazyRouteComponent(() => import('../features/review/ReviewPage'), 'ReviewPage'),
});

const tourReleases = createRoute({
  getParentRoute: () => tour,
  path: 'releases',
  // `release` opens the release dialog.
  validateSearch: ({ release }: Record<string, unknown>): { release?: true } => (release === true ? { release } : {}),
  loader: ({ params }) => {
    const workspaceId = cachedWorkspaceId(params.workspace);
    if (workspaceId) prefetch(lazyDocuments.tourReleases(), { workspaceId, slug: params.tour });
  },
  component: lazyRouteComponent(() => import('../features/release/ReleasesPage'), 'ReleasesPage'),
});

interface InsightsSearch {
  /** The number of days, if the range is not a custom one. */
  days?: number;
  from?: string;
  to?: string;
  site?: string;
  revision?: string;
  /** The filter of the recent runs. `ended` is the key of a step. */
  state?: RunState;
  ended?: string;
}

const day = /^\d{4}-\d{2}-\d{2}$/;

const tourInsights = createRoute({
  getParentRoute: () => tour,
  path: 'insights',
  validateSearch: (raw: Record<string, unknown>): InsightsSearch => {
    const { days, from, to, site, revision, ended } = raw;
    const state = RunStateValues.find(each => each === raw['state']);
    return {
      ...(typeof days === 'number' && days >= 1 && days <= 366 ? { days } : {}),
      ...(typeof from === 'string' && day.test(from) ? { from } : {}),
      ...(typeof to === 'string' && day.test(to) ? { to } : {}),
      ...(typeof site === 'string' ? { site } : {}),
      ...(typeof revision === 'string' ? { revision } : {}),
      ...(state ? { state } : {}),
      ...(typeof ended === 'string' ? { ended } : {}),
    };
  },
  search: { middlewares: [retainSearchParams(['site'])] },
  component: lazyRouteComponent(() => import('../features/insights/InsightsPage'), 'InsightsPage'),
});

const themes = createRoute({
  getParentRoute: () => workspace,
  path: 'themes',
  loader: ({ params }) => prefetch(lazyDocuments.themes(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/theme/ThemesPage'), 'ThemesPage'),
});

const theme = createRoute({
  getParentRoute: () => workspace,
  path: 'themes/$theme',
  loader: ({ params }) => prefetch(lazyDocuments.themes(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/theme/ThemePage'), 'ThemePage'),
});

const segments = createRoute({
  getParentRoute: () => workspace,
  path: 'segments',
  loader: ({ params }) => prefetch(lazyDocuments.segments(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/segment/SegmentsPage'), 'SegmentsPage'),
});

const segment = createRoute({
  getParentRoute: () => workspace,
  path: 'segments/$segment',
  loader: ({ params }) => prefetch(lazyDocuments.segments(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/segment/SegmentPage'), 'SegmentPage'),
});

const sites = createRoute({
  getParentRoute: () => workspace,
  path: 'sites',
  // `new` opens the dialog for a new site.
  validateSearch: opensNew,
  loader: ({ params }) => prefetch(lazyDocuments.sites(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/site/SitesPage'), 'SitesPage'),
});

const site = createRoute({
  getParentRoute: () => workspace,
  path: 'sites/$site',
  loader: ({ params }) => prefetch(lazyDocuments.sites(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/site/SitePage'), 'SitePage'),
});

interface VisitorsSearch {
  /** The id of a site. */
  site?: string;
  search?: string;
  /** The id of a segment. */
  segment?: string;
  /** The slug of the tour that the user wants to explain. */
  tour?: string;
}

const visitors = createRoute({
  getParentRoute: () => workspace,
  path: 'visitors',
  validateSearch: (raw: Record<string, unknown>): VisitorsSearch => {
    const { site: siteId, segment: segmentId, tour: slug } = raw;
    const search = typeof raw['search'] === 'string' ? raw['search'].slice(0, 80) : '';
    return {
      ...(typeof siteId === 'string' ? { site: siteId } : {}),
      ...(search ? { search } : {}),
      ...(typeof segmentId === 'string' ? { segment: segmentId } : {}),
      ...(typeof slug === 'string' ? { tour: slug } : {}),
    };
  },
  component: lazyRouteComponent(() => import('../features/visitor/VisitorsPage'), 'VisitorsPage'),
});

const visitor = createRoute({
  getParentRoute: () => workspace,
  path: 'visitors/$visitor',
  // `run` is the id of a run to show first, and `tour` the slug of a tour to explain.
  validateSearch: ({
    page,
    run,
    tour: slug,
  }: Record<string, unknown>): { page?: string; run?: string; tour?: string } => ({
    ...(typeof page === 'string' ? { page } : {}),
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof slug === 'string' ? { tour: slug } : {}),
  }),
  loader: ({ params }) => prefetch(lazyDocuments.visitorTimeline(), { id: params.visitor }),
  component: lazyRouteComponent(() => import('../features/visitor/VisitorPage'), 'VisitorPage'),
});

const members = createRoute({
  getParentRoute: () => workspace,
  path: 'members',
  loader: ({ params }) => prefetch(lazyDocuments.members(), { slug: params.workspace }),
  component: lazyRouteComponent(() => import('../features/member/MembersPage'), 'MembersPage'),
});

const audit = createRoute({
  getParentRoute: () => workspace,
  path: 'audit',
  validateSearch: readAuditSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => {
    const workspaceId = cachedWorkspaceId(params.workspace);
    if (workspaceId) prefetch(lazyDocuments.audit(), auditVariables(workspaceId, deps));
  },
  component: lazyRouteComponent(() => import('../features/audit/AuditPage'), 'AuditPage'),
});

const settings = createRoute({
  getParentRoute: () => workspace,
  path: 'settings',
  component: lazyRouteComponent(() => import('../features/settings/SettingsPage'), 'SettingsPage'),
});

const routeTree = root.addChildren([
  play.addChildren([playCart]),
  session.addChildren([
    signIn,
    signedOut,
    callback,
    invite,
    signedIn.addChildren([
      home,
      workspaces,
      workspace.addChildren([
        workspaceIndex,
        tours,
        tour.addChildren([tourEditor, tourRevisions, tourReleases, tourInsights]),
        themes,
        theme,
        segments,
        segment,
        sites,
        site,
        visitors,
        visitor,
        members,
        audit,
        settings,
      ]),
    ]),
  ]),
]);

export const router = createRouter({
  routeTree,
  defaultPreload: 'intent',
  defaultPreloadDelay: 60,
  defaultPreloadStaleTime: 15_000,
  defaultStaleTime: 5_000,
  defaultPendingMs: 150,
  defaultPendingComponent: PageSkeleton,
  defaultErrorComponent: RouteError,
  defaultNotFoundComponent: NotFoundPage,
  scrollRestoration: true,
});

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router;
  }
}
