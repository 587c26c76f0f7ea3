//! Each type has the name, the variables and a part of the fields of a document of `operations/`. The documents of the
//! command line are in `waypost-api-client`.

#![allow(dead_code, reason = "the fields are only deserialized, never read")]

use cynic::Id;

#[cynic::schema("waypost")]
mod schema {}

#[derive(cynic::Scalar, Debug, Clone)]
pub struct Url(pub String);

#[derive(cynic::Scalar, Debug, Clone)]
pub struct DateTime(pub String);

#[derive(cynic::Scalar, Debug, Clone)]
pub struct Date(pub String);

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum Role {
    Viewer,
    Author,
    Publisher,
    Admin,
}

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum EventKind {
    RunStarted,
    StepSeen,
    StepDone,
    TargetMissing,
    RunCompleted,
    RunDismissed,
    RunFailed,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ById {
    pub id: Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct BySlug {
    pub slug: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct InWorkspace {
    pub workspace_id: Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct InWorkspaceBySlug {
    pub workspace_id: Id,
    pub slug: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct OfTour {
    pub tour_id: Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct OfSite {
    pub site_id: Id,
}

#[derive(cynic::InputObject, Debug)]
pub struct VisitorFilterInput {
    pub first_seen_from: DateTime,
    pub first_seen_until: DateTime,
    pub anonymous: bool,
    pub unfinished: bool,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct SelectedVisitors {
    pub site_id: Id,
    pub filter: VisitorFilterInput,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Question {
    pub visitor_id: Id,
    pub tour_id: Id,
    pub url: Url,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewTester {
    pub id: Id,
    pub tester: bool,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct OfTourInRange {
    pub tour_id: Id,
    pub range: DayRangeInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct DayRangeInput {
    pub from: Date,
    pub to: Date,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewWorkspace {
    pub input: WorkspaceCreateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct WorkspaceCreateInput {
    pub name: String,
    pub slug: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewName {
    pub id: Id,
    pub expected_version: i32,
    pub name: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ReviewsRequired {
    pub id: Id,
    pub expected_version: i32,
    pub require_review: bool,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Submission {
    pub id: Id,
    pub expected_version: i32,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewComment {
    pub input: CommentAddInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct CommentAddInput {
    pub revision_id: Id,
    pub body: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewTitle {
    pub id: Id,
    pub expected_version: i32,
    pub title: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewInvitation {
    pub input: InvitationCreateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct InvitationCreateInput {
    pub workspace_id: Id,
    pub email: String,
    pub role: Role,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ByToken {
    pub token: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewRole {
    pub id: Id,
    pub role: Role,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewSite {
    pub input: SiteCreateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct SiteCreateInput {
    pub workspace_id: Id,
    pub name: String,
    pub origins: Vec<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ChangedSite {
    pub input: SiteUpdateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct SiteUpdateInput {
    pub id: Id,
    pub expected_version: i32,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
}

#[derive(cynic::InputObject, Debug)]
pub struct ThemeInput {
    pub name: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewTheme {
    pub workspace_id: Id,
    pub input: ThemeInput,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ChangedTheme {
    pub id: Id,
    pub expected_version: i32,
    pub input: ThemeInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct SegmentInput {
    pub name: String,
    pub when: SegmentConditionInput,
}

#[derive(cynic::InputObject, Debug)]
pub enum SegmentConditionInput {
    Verified(bool),
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewSegment {
    pub workspace_id: Id,
    pub input: SegmentInput,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ChangedSegment {
    pub id: Id,
    pub expected_version: i32,
    pub input: SegmentInput,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewTour {
    pub input: TourCreateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct TourCreateInput {
    pub workspace_id: Id,
    pub title: String,
    pub slug: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ChangedTour {
    pub input: TourSaveInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct TourSaveInput {
    pub id: Id,
    pub expected_version: i32,
    pub steps: Vec<StepInput>,
}

#[derive(cynic::InputObject, Debug)]
pub struct StepInput {
    pub key: String,
    pub title: String,
}

#[derive(cynic::InputObject, Debug)]
pub struct VisitorInput {
    pub anonymous_id: Id,
}

#[derive(cynic::InputObject, Debug)]
pub struct EventInput {
    pub run_id: Id,
    pub release_id: Id,
    pub seq: i32,
    pub kind: EventKind,
    pub at: DateTime,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Visit {
    pub site_key: String,
    pub visitor: VisitorInput,
    pub url: Url,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Report {
    pub site_key: String,
    pub visitor: VisitorInput,
    pub events: Vec<EventInput>,
}

#[derive(cynic::InputObject, Debug)]
pub struct GoalInput {
    pub event: String,
    pub at: DateTime,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Goals {
    pub site_key: String,
    pub visitor: VisitorInput,
    pub goals: Vec<GoalInput>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Workspace {
    pub id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Member {
    pub role: Role,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Invitation {
    pub email: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct InvitationLink {
    pub token: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "InvitationOffer")]
pub struct Offered {
    pub role: Role,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Site {
    pub key: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Theme {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Tour {
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Revision {
    pub version: i32,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Review {
    pub note: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Review")]
pub struct WithContent {
    pub content: Option<ReviewedContent>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct ReviewedContent {
    pub theme: Option<Theme>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Comment {
    pub body: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct RevisionConnection {
    pub nodes: Vec<NumberedRevision>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Revision")]
pub struct NumberedRevision {
    pub number: i32,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct WithRevisions {
    pub revisions: RevisionConnection,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Release {
    pub at: DateTime,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WithMembers {
    pub members: Vec<Member>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WithSites {
    pub sites: Vec<Site>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Segment {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WithSegments {
    pub segments: Vec<Segment>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct MatchCount {
    pub matching: i32,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct SiteTrait {
    pub key: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Site")]
pub struct SiteWithTraits {
    pub traits: Vec<SiteTrait>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WithEvents {
    pub sites: Vec<SiteWithEvents>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Site")]
pub struct SiteWithEvents {
    pub events: Vec<SiteEvent>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct SiteEvent {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WithThemes {
    pub themes: Vec<Theme>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct WithDraft {
    pub draft: Revision,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct AuditConnection {
    pub nodes: Vec<AuditEntry>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct AuditEntry {
    pub action: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct RunConnection {
    pub nodes: Vec<Run>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Run {
    pub started_at: DateTime,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "TourInsights")]
pub struct Counts {
    pub started: i32,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Instance")]
pub struct About {
    pub version: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Boot")]
pub struct Offer {
    pub visitor_id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Ack {
    pub accepted: i32,
}

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
#[cynic(graphql_type = "Account")]
pub struct Actor {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "InWorkspace")]
pub struct AuditActors {
    #[arguments(workspaceId: $workspace_id)]
    pub audit_actors: Vec<Actor>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "SelectedVisitors")]
pub struct VisitorCount {
    #[arguments(siteId: $site_id, filter: $filter)]
    pub visitor_count: i32,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "SelectedVisitors")]
pub struct VisitorsErase {
    #[arguments(siteId: $site_id, filter: $filter)]
    pub visitors_erase: i32,
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
pub struct ReviewsWaiting {
    #[arguments(workspaceId: $workspace_id)]
    pub reviews_waiting: Vec<Review>,
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
pub struct LiftGroup {
    pub visitors: i32,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct ReleaseLift {
    pub holdout: LiftGroup,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "OfTour")]
pub struct TourLift {
    #[arguments(tourId: $tour_id)]
    pub tour_lift: Vec<ReleaseLift>,
}

// cynic generates a type `Visitor` in each derived implementation.
#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Visitor")]
pub struct SiteVisitor {
    pub id: Id,
    pub external_id: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct VisitorConnection {
    pub nodes: Vec<SiteVisitor>,
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
pub struct Explanation {
    pub would_play: bool,
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
#[cynic(graphql_type = "Mutation", variables = "NewTester")]
pub struct VisitorTesterSet {
    #[arguments(id: $id, tester: $tester)]
    pub visitor_tester_set: SiteVisitor,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct VisitorReset {
    #[arguments(id: $id)]
    pub visitor_reset: SiteVisitor,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct VisitorErase {
    #[arguments(id: $id)]
    pub visitor_erase: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewWorkspace")]
pub struct WorkspaceCreate {
    #[arguments(input: $input)]
    pub workspace_create: Workspace,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewName")]
pub struct WorkspaceRename {
    #[arguments(id: $id, expectedVersion: $expected_version, name: $name)]
    pub workspace_rename: Workspace,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct WorkspaceSampleRemove {
    #[arguments(id: $id)]
    pub workspace_sample_remove: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ReviewsRequired")]
pub struct WorkspaceReviewSet {
    #[arguments(id: $id, expectedVersion: $expected_version, requireReview: $require_review)]
    pub workspace_review_set: Workspace,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewRole")]
pub struct MemberRoleSet {
    #[arguments(id: $id, role: $role)]
    pub member_role_set: Member,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct MemberRemove {
    #[arguments(id: $id)]
    pub member_remove: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "InWorkspace")]
pub struct MemberLeave {
    #[arguments(workspaceId: $workspace_id)]
    pub member_leave: Id,
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
#[cynic(graphql_type = "Mutation", variables = "NewInvitation")]
pub struct InvitationCreate {
    #[arguments(input: $input)]
    pub invitation_create: InvitationLink,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct InvitationRenew {
    #[arguments(id: $id)]
    pub invitation_renew: InvitationLink,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct InvitationRevoke {
    #[arguments(id: $id)]
    pub invitation_revoke: Invitation,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ByToken")]
pub struct InvitationAccept {
    #[arguments(token: $token)]
    pub invitation_accept: Member,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewSite")]
pub struct SiteCreate {
    #[arguments(input: $input)]
    pub site_create: Site,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ChangedSite")]
pub struct SiteUpdate {
    #[arguments(input: $input)]
    pub site_update: Site,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct OnSite {
    pub site_id: Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct IdentityKeyOnSite {
    pub site_id: Id,
    pub id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "OnSite")]
pub struct IdentityKeyCreate {
    #[arguments(siteId: $site_id)]
    pub identity_key_create: NewIdentityKey,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct NewIdentityKey {
    pub site: KeyedSite,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Site")]
pub struct KeyedSite {
    pub identity_keys: Vec<IdentityKey>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct IdentityKey {
    pub id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "IdentityKeyOnSite")]
pub struct IdentityKeyRevoke {
    #[arguments(siteId: $site_id, id: $id)]
    pub identity_key_revoke: KeyedSite,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ById")]
pub struct SiteIdentity {
    #[arguments(id: $id)]
    pub site: Option<KeyedSite>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct SiteKeyRotate {
    #[arguments(id: $id)]
    pub site_key_rotate: Site,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "ById")]
pub struct SiteChanged {
    #[arguments(id: $id)]
    pub site_changed: Site,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewSegment")]
pub struct SegmentCreate {
    #[arguments(workspaceId: $workspace_id, input: $input)]
    pub segment_create: Segment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ChangedSegment")]
pub struct SegmentUpdate {
    #[arguments(id: $id, expectedVersion: $expected_version, input: $input)]
    pub segment_update: Segment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct SegmentDelete {
    #[arguments(id: $id)]
    pub segment_delete: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewTheme")]
pub struct ThemeCreate {
    #[arguments(workspaceId: $workspace_id, input: $input)]
    pub theme_create: Theme,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ChangedTheme")]
pub struct ThemeUpdate {
    #[arguments(id: $id, expectedVersion: $expected_version, input: $input)]
    pub theme_update: Theme,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ThemeDefaultSet {
    #[arguments(id: $id)]
    pub theme_default_set: Theme,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ThemeDelete {
    #[arguments(id: $id)]
    pub theme_delete: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewTour")]
pub struct TourCreate {
    #[arguments(input: $input)]
    pub tour_create: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ChangedTour")]
pub struct TourSave {
    #[arguments(input: $input)]
    pub tour_save: Revision,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewTitle")]
pub struct TourRename {
    #[arguments(id: $id, expectedVersion: $expected_version, title: $title)]
    pub tour_rename: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct TourArchive {
    #[arguments(id: $id)]
    pub tour_archive: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct TourRestore {
    #[arguments(id: $id)]
    pub tour_restore: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Subscription", variables = "ById")]
pub struct TourChanged {
    #[arguments(id: $id)]
    pub tour_changed: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Submission")]
pub struct RevisionSubmit {
    #[arguments(id: $id, expectedVersion: $expected_version)]
    pub revision_submit: Revision,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct RevisionReturn {
    #[arguments(id: $id)]
    pub revision_return: Revision,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewComment")]
pub struct CommentAdd {
    #[arguments(input: $input)]
    pub comment_add: Comment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct CommentResolve {
    #[arguments(id: $id)]
    pub comment_resolve: Comment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct CommentDelete {
    #[arguments(id: $id)]
    pub comment_delete: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct CommentReopen {
    #[arguments(id: $id)]
    pub comment_reopen: Comment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ReleaseEnd {
    #[arguments(id: $id)]
    pub release_end: Release,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ReleasePause {
    #[arguments(id: $id)]
    pub release_pause: Release,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ReleaseResume {
    #[arguments(id: $id)]
    pub release_resume: Release,
}

#[derive(cynic::InputObject, Debug)]
pub struct ReleaseAdjustInput {
    pub id: Id,
    pub rollout_percent: Option<i32>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Adjustment {
    pub input: ReleaseAdjustInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Adjustment")]
pub struct ReleaseAdjust {
    #[arguments(input: $input)]
    pub release_adjust: Release,
}

#[derive(cynic::InputObject, Debug)]
pub struct ReleasePlanInput {
    pub tour_id: Id,
    pub site_ids: Vec<Id>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Planned {
    pub plan: ReleasePlanInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "Planned")]
pub struct ReleaseImpact {
    #[arguments(plan: $plan)]
    pub release_impact: Vec<Impact>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "ReleaseImpact")]
pub struct Impact {
    pub site: NamedSite,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Site")]
pub struct NamedSite {
    pub name: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Copy {
    pub id: Id,
    pub title: String,
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Copy")]
pub struct TourDuplicate {
    #[arguments(id: $id, title: $title, slug: $slug)]
    pub tour_duplicate: Tour,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct ReleaseRollback {
    #[arguments(id: $id)]
    pub release_rollback: Release,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Visit")]
pub struct Boot {
    #[arguments(siteKey: $site_key, visitor: $visitor, url: $url)]
    pub boot: Offer,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Visit")]
pub struct EmbedBoot {
    #[arguments(siteKey: $site_key, visitor: $visitor, url: $url)]
    pub boot: Offer,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Report")]
pub struct Record {
    #[arguments(siteKey: $site_key, visitor: $visitor, events: $events)]
    pub record: Ack,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Goals")]
pub struct GoalRecord {
    #[arguments(siteKey: $site_key, visitor: $visitor, goals: $goals)]
    pub goal_record: i32,
}
