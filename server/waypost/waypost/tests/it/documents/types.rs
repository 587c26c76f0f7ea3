use cynic::Id;

use super::*;

#[derive(cynic::QueryFragment, Debug)]
pub struct Workspace {
    pub id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "RetentionPreview")]
pub struct RetentionCounts {
    pub visitors: i32,
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
pub struct AccessToken {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct NewAccessToken {
    pub secret: String,
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
pub struct WithId {
    pub id: Id,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Workspace")]
pub struct WorkspaceId {
    pub id: Id,
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
#[cynic(graphql_type = "Site")]
pub struct SiteWithRefusedOrigins {
    pub refused_origins: Vec<RefusedOrigin>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct RefusedOrigin {
    pub origin: String,
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
#[cynic(graphql_type = "Account")]
pub struct Actor {
    pub name: String,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct LiftGroup {
    pub visitors: i32,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct ReleaseLift {
    pub holdout: LiftGroup,
}

// cynic generates a type `Visitor` in each derived implementation.
#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Visitor")]
pub struct SiteVisitor {
    pub id: Id,
    pub external_id: Option<String>,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "TourConnection")]
pub struct TourChoiceConnection {
    pub total_count: i32,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct VisitorConnection {
    pub nodes: Vec<SiteVisitor>,
}

#[derive(cynic::QueryFragment, Debug)]
pub struct Explanation {
    pub would_play: bool,
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
#[cynic(graphql_type = "ReleaseImpact")]
pub struct Impact {
    pub site: NamedSite,
}

#[derive(cynic::QueryFragment, Debug)]
#[cynic(graphql_type = "Site")]
pub struct NamedSite {
    pub name: String,
}
