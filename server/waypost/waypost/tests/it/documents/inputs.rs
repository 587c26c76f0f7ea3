use cynic::Id;

use super::*;

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
pub struct DeletedWorkspace {
    pub id: Id,
    pub name: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ReviewsRequired {
    pub id: Id,
    pub expected_version: i32,
    pub require_review: bool,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct RetentionInWorkspace {
    pub workspace_id: Id,
    pub input: RetentionInput,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct NewRetention {
    pub id: Id,
    pub expected_version: i32,
    pub input: RetentionInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct RetentionInput {
    pub visitor_days: i32,
    pub run_days: i32,
    pub audit_days: i32,
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

#[derive(cynic::QueryVariables, Debug)]
pub struct NewReply {
    pub id: Id,
    pub body: String,
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
pub struct NewAccessTokenInput {
    pub input: AccessTokenCreateInput,
}

#[derive(cynic::InputObject, Debug)]
pub struct AccessTokenCreateInput {
    pub workspace_id: Id,
    pub name: String,
    pub role: AccessTokenRole,
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

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum AttemptProblem {
    ElementMissing,
    PlayerFailed,
}

#[derive(cynic::InputObject, Debug)]
pub struct AttemptInput {
    pub release_id: Id,
    pub problem: AttemptProblem,
    pub at: DateTime,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Attempts {
    pub site_key: String,
    pub visitor: VisitorInput,
    pub attempts: Vec<AttemptInput>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Goals {
    pub site_key: String,
    pub visitor: VisitorInput,
    pub goals: Vec<GoalInput>,
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

#[derive(cynic::InputObject, Debug)]
pub struct ReleaseAdjustInput {
    pub id: Id,
    pub rollout_percent: Option<i32>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct Adjustment {
    pub input: ReleaseAdjustInput,
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

#[derive(cynic::QueryVariables, Debug)]
pub struct Copy {
    pub id: Id,
    pub title: String,
    pub slug: String,
}
