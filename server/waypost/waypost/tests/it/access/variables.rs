use serde_json::{Value, json};

use super::{Fixture, SHOP, id};
use crate::support::run_operation;

impl Fixture {
    /// Returns variables with which the operation succeeds if the caller has access.
    pub(super) async fn variables(&self, operation: &str) -> Value {
        let workspace = &self.workspace;
        match operation {
            "Instance" | "Viewer" => json!({}),
            "Audit" | "AuditActors" | "AccessTokens" | "Invitations" | "MemberLeave" | "ReviewsChanged"
            | "ReviewsReturned" | "TourChoices" | "Tours" => json!({"workspaceId": workspace}),
            "Members" | "Segments" | "SiteEvents" | "Sites" | "Themes" | "WorkspaceHome" | "WorkspaceRetention" => {
                json!({"slug": self.slug})
            }

            "WorkspaceCreate" => json!({"input": {"name": "New", "slug": self.unique("new")}}),
            "WorkspaceRename" => json!({"id": workspace, "expectedVersion": 1, "name": "Renamed"}),
            "WorkspaceReviewSet" => {
                json!({"id": workspace, "expectedVersion": self.version().await, "requireReview": false})
            }
            "WorkspaceRetentionSet" => {
                json!({"id": workspace, "expectedVersion": self.version().await, "input": retention()})
            }
            "RetentionPreview" => json!({"workspaceId": workspace, "input": retention()}),
            // With a wrong name, because the other operations need the workspace.
            "WorkspaceDelete" => json!({"id": workspace, "name": "another name"}),

            "MemberRemove" => json!({"id": self.members[0]}),
            "MemberRoleSet" => json!({"id": self.members[1], "role": "AUTHOR"}),
            "AccessTokenCreate" => {
                json!({"input": {"workspaceId": workspace, "name": self.unique("token"), "role": "AUTHOR"}})
            }
            "AccessTokenRevoke" => json!({"id": self.access_token().await}),
            "InvitationCreate" => {
                let email = format!("{}@example.com", self.unique("invited"));
                json!({"input": {"workspaceId": workspace, "email": email, "role": "VIEWER"}})
            }
            "InvitationAccept" | "InvitationOffer" => json!({"token": self.link().await}),
            "InvitationRenew" | "InvitationRevoke" => json!({"id": self.invitation().await}),

            "SiteCreate" => json!({"input": {"workspaceId": workspace, "name": "Shop", "origins": [SHOP]}}),
            "SiteUpdate" => json!({"input": {"id": self.site().await.0, "expectedVersion": 1, "name": "Shop"}}),
            "SiteChanged" | "SiteIdentity" | "SiteKeyRotate" => json!({"id": self.site().await.0}),
            "SiteRefusedOrigins" | "SiteTraits" => json!({"id": self.read_site().await}),
            "IdentityKeyCreate" | "VisitorMatches" | "Visitors" => json!({"siteId": self.site().await.0}),
            "IdentityKeyRevoke" => {
                let site = self.site().await.0;
                let created = run_operation(&self.owner, "IdentityKeyCreate", json!({"siteId": site})).await;
                json!({"siteId": site, "id": created["identityKeyCreate"]["site"]["identityKeys"][0]["id"]})
            }

            "ThemeCreate" => json!({"workspaceId": workspace, "input": {"name": "Night"}}),
            "ThemeUpdate" => {
                json!({"id": self.theme().await, "expectedVersion": 1, "input": {"name": self.unique("night")}})
            }
            "ThemeDefaultSet" | "ThemeDelete" => json!({"id": self.theme().await}),
            "SegmentCreate" => json!({"workspaceId": workspace, "input": segment("Verified customers")}),
            "SegmentUpdate" => {
                json!({"id": self.segment().await, "expectedVersion": 1, "input": segment("Customers")})
            }
            "SegmentDelete" => json!({"id": self.segment().await}),

            "TourCreate" => json!({"input": {"workspaceId": workspace, "title": "New", "slug": self.unique("new")}}),
            "TourDuplicate" => json!({"id": self.tour().await.0, "title": "Copy", "slug": self.unique("copy")}),
            "TourRename" => json!({"id": self.tour().await.0, "expectedVersion": 1, "title": "Renamed"}),
            "TourSave" => {
                let (tour, _, version) = self.tour().await;
                let steps = json!([{"key": "hello", "title": "Hello"}]);
                json!({"input": {"id": tour, "expectedVersion": version, "steps": steps}})
            }
            "TourArchive" | "TourChanged" | "TourReportOpen" => json!({"id": self.tour().await.0}),
            "TourRestore" => {
                let tour = json!({"id": self.tour().await.0});
                run_operation(&self.owner, "TourArchive", tour.clone()).await;
                tour
            }
            "TourEditor" | "TourReleases" | "TourRevisions" => {
                json!({"workspaceId": workspace, "slug": self.tour().await.1})
            }
            "Runs" | "TourLift" => json!({"tourId": self.tour().await.0}),
            "TourInsights" | "TourVisitors" => {
                json!({"tourId": self.tour().await.0, "range": {"from": "2026-01-01", "to": "2026-01-31"}})
            }

            "RevisionContent" => json!({"id": self.draft().await.0}),
            "RevisionSubmit" => {
                let (draft, version) = self.draft().await;
                json!({"id": draft, "expectedVersion": version})
            }
            "RevisionReturn" => json!({"id": self.submitted().await}),
            "ReviewContent" => {
                let draft = json!({"id": self.submitted().await});
                let returned = run_operation(&self.owner, "RevisionReturn", draft).await;
                json!({"id": returned["revisionReturn"]["reviews"][0]["id"]})
            }
            "CommentAdd" => json!({"input": {"revisionId": self.draft().await.0, "body": "Good."}}),
            "CommentReply" => json!({"id": self.comment().await, "body": "Agreed."}),
            "CommentReopen" | "CommentResolve" => json!({"id": self.comment().await}),
            // Authors and publishers can delete only their own comments and replies.
            "CommentDelete" if self.is_author() => {
                let input = json!({"input": {"revisionId": self.draft().await.0, "body": "Mine."}});
                json!({"id": run_operation(&self.caller, "CommentAdd", input).await["commentAdd"]["id"]})
            }
            "CommentDelete" => json!({"id": self.comment().await}),
            "CommentReplyDelete" => {
                let by = if self.is_author() { &self.caller } else { &self.owner };
                let reply = json!({"id": self.comment().await, "body": "Mine."});
                json!({"id": run_operation(by, "CommentReply", reply).await["commentReply"]["replies"][0]["id"]})
            }

            "ReleaseImpact" => {
                json!({"plan": {"tourId": self.tour().await.0, "siteIds": [self.site().await.0]}})
            }
            "TourRelease" => {
                let (tour, _, version) = self.tour().await;
                json!({"input": {"tourId": tour, "expectedVersion": version, "siteIds": [self.site().await.0]}})
            }
            "ReleaseEnd" | "ReleasePause" => json!({"id": self.release(1).await}),
            "ReleaseResume" => {
                let release = json!({"id": self.release(1).await});
                run_operation(&self.owner, "ReleasePause", release.clone()).await;
                release
            }
            "ReleaseAdjust" => json!({"input": {"id": self.release(1).await, "rolloutPercent": 50}}),
            "ReleaseRollback" => json!({"id": self.release(2).await}),

            "VisitorChanged" | "VisitorErase" | "VisitorExport" | "VisitorTimeline" => {
                json!({"id": self.visitor().await})
            }
            "VisitorTesterSet" => json!({"id": self.visitor().await, "tester": true}),
            "VisitorReset" => {
                let visitor = self.visitor().await;
                // Callers can reset only their own test users. Without access, both operations fail.
                let test_user = json!({"id": visitor, "tester": true});
                let _ = self.caller.run_by_name::<Value>("VisitorTesterSet", test_user).await;
                json!({"id": visitor})
            }
            "VisitorCount" | "VisitorsErase" => {
                let time = "2026-11-05T09:30:00Z";
                let seen =
                    json!({"firstSeenFrom": time, "firstSeenUntil": time, "anonymous": true, "unfinished": true});
                json!({"siteId": self.site().await.0, "filter": seen})
            }
            "Explain" => {
                json!({"visitorId": self.visitor().await, "tourId": self.tour().await.0, "url": self.url})
            }

            "Boot" | "EmbedBoot" => self.report(json!({"url": self.url})).await,
            "Record" => {
                let (run, release) = (uuid::Uuid::now_v7(), "none");
                let event = json!({"runId": run, "releaseId": release, "seq": 0, "kind": "RUN_STARTED", "at": AT});
                self.report(json!({"events": [event]})).await
            }
            "AttemptRecord" => {
                let release = "00000000-0000-7000-8000-000000000000";
                let attempt = json!({"releaseId": release, "problem": "ELEMENT_MISSING", "at": AT});
                self.report(json!({"attempts": [attempt]})).await
            }
            "GoalRecord" => {
                self.report(json!({"goals": [{"event": "order_placed", "at": AT}]}))
                    .await
            }
            other => panic!(
                "`operations/` has a new document, `{other}`. Add variables here with which it succeeds, so that the access \
                 matrix includes it."
            ),
        }
    }

    async fn version(&self) -> Value {
        let home = run_operation(&self.owner, "WorkspaceHome", json!({"slug": self.slug})).await;
        home["workspace"]["version"].clone()
    }

    fn is_author(&self) -> bool {
        ["author", "publisher"].contains(&self.name.as_str())
    }

    async fn submitted(&self) -> String {
        let (draft, version) = self.draft().await;
        let submit = json!({"id": draft, "expectedVersion": version});
        id(&run_operation(&self.owner, "RevisionSubmit", submit).await["revisionSubmit"]["id"])
    }

    /// Adds the site and a new visitor.
    async fn report(&self, mut variables: Value) -> Value {
        variables["siteKey"] = json!(self.key().await);
        variables["visitor"] = json!({"anonymousId": self.unique("browser")});
        variables
    }
}

const AT: &str = "2026-01-01T00:00:00Z";

fn retention() -> Value {
    json!({"visitorDays": 400, "runDays": 400, "auditDays": 1095})
}

fn segment(name: &str) -> Value {
    json!({"name": name, "when": {"verified": true}})
}
