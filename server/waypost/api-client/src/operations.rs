use serde::{Deserialize, Serialize};
use serde_json::Value;

#[cynic::schema("waypost")]
#[allow(unreachable_pub, reason = "cynic writes this module")]
mod schema {}

/// `operations/workspace/Viewer.graphql`
#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query")]
pub struct Viewer {
    pub viewer: Person,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Viewer")]
pub struct Person {
    pub memberships: Vec<Member>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Member {
    pub role: Role,
    pub workspace: WorkspaceName,
}

#[derive(cynic::QueryFragment, Debug, Clone)]
#[cynic(graphql_type = "Workspace")]
pub struct WorkspaceName {
    pub id: cynic::Id,
    pub slug: String,
    pub name: String,
}

#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    Viewer,
    Author,
    Publisher,
    Admin,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct WorkspaceHomeVariables {
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "WorkspaceHomeVariables")]
pub struct WorkspaceHome {
    #[arguments(slug: $slug)]
    pub workspace: Option<Workspace>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Workspace {
    pub id: cynic::Id,
    pub slug: String,
    pub name: String,
    pub sites: Vec<Site>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Site {
    pub id: cynic::Id,
    pub name: String,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ToursVariables {
    pub workspace_id: cynic::Id,
    pub first: i32,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ToursVariables")]
pub struct Tours {
    #[arguments(workspaceId: $workspace_id, first: $first, after: $after)]
    pub tours: TourConnection,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct TourConnection {
    pub nodes: Vec<TourRow>,
    pub page_info: PageInfo,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct PageInfo {
    pub has_next_page: bool,
    pub end_cursor: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct TourRow {
    pub id: cynic::Id,
    pub slug: String,
    pub title: String,
    pub status: TourStatus,
    pub has_unreleased_changes: bool,
    pub updated_at: DateTime,
}

#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum TourStatus {
    Draft,
    Live,
    Paused,
    Stopped,
    Archived,
}

#[derive(cynic::Scalar, Debug, Clone)]
pub struct DateTime(pub String);

#[derive(cynic::QueryVariables, Debug)]
pub struct TourReleasesVariables {
    pub workspace_id: cynic::Id,
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "TourReleasesVariables")]
pub struct TourReleases {
    #[arguments(workspaceId: $workspace_id, slug: $slug)]
    pub tour_by_slug: Option<TourWithDraft>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct TourWithDraft {
    pub id: cynic::Id,
    pub title: String,
    pub has_unreleased_changes: bool,
    pub released: Option<RevisionNumber>,
    pub draft: Draft,
    pub releases: Vec<Release>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Revision")]
pub struct Draft {
    pub number: i32,
    pub state: RevisionState,
    pub version: i32,
}

#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum RevisionState {
    Draft,
    InReview,
    Frozen,
}

#[derive(cynic::InputObject, Debug)]
pub struct TourReleaseInput {
    pub tour_id: cynic::Id,
    pub expected_version: i32,
    pub site_ids: Vec<cynic::Id>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub rollout_percent: Option<i32>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub holdout_percent: Option<i32>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub goal: Option<String>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub starts_at: Option<DateTime>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<DateTime>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub end_active_runs: Option<bool>,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct TourReleaseVariables {
    pub input: TourReleaseInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "TourReleaseVariables")]
pub struct TourRelease {
    #[arguments(input: $input)]
    pub tour_release: Vec<Release>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Release {
    pub state: ReleaseState,
    pub rollout_percent: i32,
    pub holdout_percent: i32,
    pub goal: Option<String>,
    pub starts_at: Option<DateTime>,
    pub ends_at: Option<DateTime>,
    pub at: DateTime,
    pub site: Site,
    pub revision: RevisionNumber,
}

#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReleaseState {
    Live,
    Paused,
    Ended,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Revision")]
pub struct RevisionNumber {
    pub number: i32,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct TourEditorVariables {
    pub workspace_id: cynic::Id,
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "TourEditorVariables")]
pub struct TourEditor {
    #[arguments(workspaceId: $workspace_id, slug: $slug)]
    pub tour_by_slug: Option<EditedTour>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct EditedTour {
    pub id: cynic::Id,
    pub title: String,
    pub version: i32,
    pub draft: DraftContent,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Revision")]
pub struct DraftContent {
    pub version: i32,
    pub steps: Vec<StepContent>,
    pub start: StartContent,
    pub theme: Option<ThemeName>,
    pub locales: Vec<String>,
    pub problems: Vec<Problem>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Theme")]
pub struct ThemeName {
    pub id: cynic::Id,
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Problem {
    pub severity: Severity,
    pub step_key: Option<String>,
    pub message: String,
}

#[derive(cynic::Enum, Debug, Clone, Copy, PartialEq, Eq)]
pub enum Severity {
    Blocker,
    Warning,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct ThemesVariables {
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "ThemesVariables")]
pub struct Themes {
    #[arguments(slug: $slug)]
    pub workspace: Option<WorkspaceThemes>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WorkspaceThemes {
    pub themes: Vec<ThemeName>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct SegmentsVariables {
    pub slug: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Query", variables = "SegmentsVariables")]
pub struct Segments {
    #[arguments(slug: $slug)]
    pub workspace: Option<WorkspaceSegments>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WorkspaceSegments {
    pub segments: Vec<SegmentName>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Segment")]
pub struct SegmentName {
    pub id: cynic::Id,
    pub name: String,
}

#[derive(cynic::InputObject, Debug)]
pub struct TourCreateInput {
    pub workspace_id: cynic::Id,
    pub title: String,
    pub slug: String,
    #[cynic(skip_serializing_if = "Option::is_none")]
    pub locale: Option<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct TourCreateVariables {
    pub input: TourCreateInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "TourCreateVariables")]
pub struct TourCreate {
    #[arguments(input: $input)]
    pub tour_create: TourId,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Tour")]
pub struct TourId {
    pub id: cynic::Id,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct TourRenameVariables {
    pub id: cynic::Id,
    pub expected_version: i32,
    pub title: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "TourRenameVariables")]
pub struct TourRename {
    #[arguments(id: $id, expectedVersion: $expected_version, title: $title)]
    pub tour_rename: TourId,
}

/// `None` selects the default theme and is sent as null.
#[derive(cynic::InputObject, Debug)]
pub struct TourSaveInput {
    pub id: cynic::Id,
    pub expected_version: i32,
    pub steps: Vec<StepContent>,
    pub start: StartContent,
    pub theme_id: Option<cynic::Id>,
    pub locales: Vec<String>,
}

#[derive(cynic::QueryVariables, Debug)]
pub struct TourSaveVariables {
    pub input: TourSaveInput,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "TourSaveVariables")]
pub struct TourSave {
    #[arguments(input: $input)]
    pub tour_save: DraftContent,
}

/// Copying content does not depend on its fields: the manifest's document selects all of them, and the schema declares
/// which of them the input has.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepContent(pub Value);

/// See [`StepContent`].
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StartContent(pub Value);

/// Declares a JSON type for an object type, and for the input type with the same fields.
macro_rules! content {
    ($type:ty, $output:ty, $input:ty) => {
        impl cynic::QueryFragment for $type {
            type SchemaType = $output;
            type VariablesFields = ();

            fn query(_: cynic::queries::SelectionBuilder<'_, Self::SchemaType, Self::VariablesFields>) {}
        }

        impl cynic::InputObject for $type {
            type SchemaType = $input;
        }

        cynic::impl_coercions!($type, $input);
    };
}

content!(StepContent, schema::Step, schema::StepInput);
content!(StartContent, schema::StartRule, schema::StartRuleInput);
