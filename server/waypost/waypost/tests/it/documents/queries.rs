use super::*;

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query")]
pub struct Instance {
    pub instance: About,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct Audit {
    #[arguments(workspaceId: $workspace_id)]
    pub audit: AuditConnection,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct AuditActors {
    #[arguments(workspaceId: $workspace_id)]
    pub audit_actors: Vec<Actor>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct WorkspaceRetention {
    #[arguments(slug: $slug)]
    pub workspace: Option<Workspace>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "RetentionInWorkspace")]
pub struct RetentionPreview {
    #[arguments(workspaceId: $workspace_id, input: $input)]
    pub retention_preview: RetentionCounts,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "SelectedVisitors")]
pub struct VisitorCount {
    #[arguments(siteId: $site_id, filter: $filter)]
    pub visitor_count: i32,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct Members {
    #[arguments(slug: $slug)]
    pub workspace: Option<WithMembers>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct Sites {
    #[arguments(slug: $slug)]
    pub workspace: Option<WithSites>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct SiteEvents {
    #[arguments(slug: $slug)]
    pub workspace: Option<WithEvents>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct Themes {
    #[arguments(slug: $slug)]
    pub workspace: Option<WithThemes>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct TourChoices {
    #[arguments(workspaceId: $workspace_id)]
    pub tours: TourChoiceConnection,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "BySlug")]
pub struct Segments {
    #[arguments(slug: $slug)]
    pub workspace: Option<WithSegments>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfSite")]
pub struct VisitorMatches {
    #[arguments(siteId: $site_id)]
    pub visitor_matches: MatchCount,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct SiteRefusedOrigins {
    #[arguments(id: $id)]
    pub site: Option<SiteWithRefusedOrigins>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct SiteTraits {
    #[arguments(id: $id)]
    pub site: Option<SiteWithTraits>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspaceBySlug")]
pub struct TourEditor {
    #[arguments(workspaceId: $workspace_id, slug: $slug)]
    pub tour_by_slug: Option<WithDraft>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct ReviewsReturned {
    #[arguments(workspaceId: $workspace_id)]
    pub reviews_returned: Vec<Review>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspaceBySlug")]
pub struct TourRevisions {
    #[arguments(workspaceId: $workspace_id, slug: $slug)]
    pub tour_by_slug: Option<WithRevisions>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct RevisionContent {
    #[arguments(id: $id)]
    pub revision: Option<Revision>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct ReviewContent {
    #[arguments(id: $id)]
    pub review: Option<WithContent>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfTour")]
pub struct Runs {
    #[arguments(tourId: $tour_id)]
    pub runs: RunConnection,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfTourInRange")]
pub struct TourInsights {
    #[arguments(tourId: $tour_id, range: $range)]
    pub tour_insights: Counts,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfTourInRange")]
pub struct TourVisitors {
    #[arguments(tourId: $tour_id, range: $range)]
    pub tour_visitors: i32,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfTour")]
pub struct TourLift {
    #[arguments(tourId: $tour_id)]
    pub tour_lift: Vec<ReleaseLift>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfSite")]
pub struct Visitors {
    #[arguments(siteId: $site_id)]
    pub visitors: VisitorConnection,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct VisitorTimeline {
    #[arguments(id: $id)]
    pub visitor: Option<SiteVisitor>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "Question")]
pub struct Explain {
    #[arguments(visitorId: $visitor_id, tourId: $tour_id, url: $url)]
    pub explain: Explanation,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "ById")]
pub struct VisitorChanged {
    #[arguments(id: $id)]
    pub visitor_changed: SiteVisitor,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct AccessTokens {
    #[arguments(workspaceId: $workspace_id)]
    pub access_tokens: Vec<AccessToken>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct Invitations {
    #[arguments(workspaceId: $workspace_id)]
    pub invitations: Vec<Invitation>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ByToken")]
pub struct InvitationOffer {
    #[arguments(token: $token)]
    pub invitation_offer: Offered,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct SiteIdentity {
    #[arguments(id: $id)]
    pub site: Option<KeyedSite>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "ById")]
pub struct SiteChanged {
    #[arguments(id: $id)]
    pub site_changed: Site,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "InWorkspace")]
pub struct ReviewsChanged {
    #[arguments(workspaceId: $workspace_id)]
    pub reviews_changed: WorkspaceId,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "ById")]
pub struct TourChanged {
    #[arguments(id: $id)]
    pub tour_changed: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "Planned")]
pub struct ReleaseImpact {
    #[arguments(plan: $plan)]
    pub release_impact: Vec<Impact>,
}
