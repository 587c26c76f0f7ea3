use cynic::Id;

use super::*;

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "SelectedVisitors")]
pub struct VisitorsErase {
    #[arguments(siteId: $site_id, filter: $filter)]
    pub visitors_erase: i32,
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
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct VisitorExport {
    #[arguments(id: $id)]
    pub visitor_export: String,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "NewRetention")]
pub struct WorkspaceRetentionSet {
    #[arguments(id: $id, expectedVersion: $expected_version, input: $input)]
    pub workspace_retention_set: Workspace,
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
#[cynic(graphql_type = "Mutation", variables = "DeletedWorkspace")]
pub struct WorkspaceDelete {
    #[arguments(id: $id, name: $name)]
    pub workspace_delete: Id,
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
#[cynic(graphql_type = "Mutation", variables = "NewAccessTokenInput")]
pub struct AccessTokenCreate {
    #[arguments(input: $input)]
    pub access_token_create: NewAccessToken,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct AccessTokenRevoke {
    #[arguments(id: $id)]
    pub access_token_revoke: AccessToken,
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

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "OnSite")]
pub struct IdentityKeyCreate {
    #[arguments(siteId: $site_id)]
    pub identity_key_create: NewIdentityKey,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "IdentityKeyOnSite")]
pub struct IdentityKeyRevoke {
    #[arguments(siteId: $site_id, id: $id)]
    pub identity_key_revoke: KeyedSite,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct SiteKeyRotate {
    #[arguments(id: $id)]
    pub site_key_rotate: Site,
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
pub struct TourReportOpen {
    #[arguments(id: $id)]
    pub tour_report_open: WithId,
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
#[cynic(graphql_type = "Mutation", variables = "NewReply")]
pub struct CommentReply {
    #[arguments(id: $id, body: $body)]
    pub comment_reply: Comment,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "ById")]
pub struct CommentReplyDelete {
    #[arguments(id: $id)]
    pub comment_reply_delete: Comment,
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

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Adjustment")]
pub struct ReleaseAdjust {
    #[arguments(input: $input)]
    pub release_adjust: Release,
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

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Mutation", variables = "Attempts")]
pub struct AttemptRecord {
    #[arguments(siteKey: $site_key, visitor: $visitor, attempts: $attempts)]
    pub attempt_record: i32,
}
