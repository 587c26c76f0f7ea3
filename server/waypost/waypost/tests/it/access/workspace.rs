use super::*;

fn retention() -> RetentionInput {
    RetentionInput {
        visitor_days: 400,
        run_days: 400,
        audit_days: 1095,
    }
}

impl Fixture {
    /// The variables succeed if the caller has access.
    pub(super) async fn call(&self, operation: &str) -> Result<(), Failure> {
        let caller = &self.caller;
        let (workspace_id, slug) = (id(&self.workspace), self.slug.clone());
        match operation {
            "Instance" => caller.run(Instance::build(())).await.map(drop),
            "Viewer" => caller.run(Viewer::build(())).await.map(drop),
            "Audit" => caller.run(Audit::build(InWorkspace { workspace_id })).await.map(drop),
            "AuditActors" => {
                let variables = InWorkspace { workspace_id };
                caller.run(AuditActors::build(variables)).await.map(drop)
            }
            "Tours" => {
                let variables = ToursVariables {
                    workspace_id,
                    first: 20,
                    after: None,
                };
                caller.run(Tours::build(variables)).await.map(drop)
            }
            "TourChoices" => {
                let variables = InWorkspace { workspace_id };
                caller.run(TourChoices::build(variables)).await.map(drop)
            }
            "Members" => caller.run(Members::build(BySlug { slug })).await.map(drop),
            "SiteEvents" => caller.run(SiteEvents::build(BySlug { slug })).await.map(drop),
            "Sites" => caller.run(Sites::build(BySlug { slug })).await.map(drop),
            "Themes" => caller.run(Themes::build(BySlug { slug })).await.map(drop),
            "Segments" => caller.run(Segments::build(BySlug { slug })).await.map(drop),
            "WorkspaceHome" => caller
                .run(WorkspaceHome::build(WorkspaceHomeVariables { slug }))
                .await
                .map(drop),
            "WorkspaceCreate" => {
                let input = WorkspaceCreateInput {
                    name: "New".into(),
                    slug: self.unique("new"),
                };
                caller
                    .run(WorkspaceCreate::build(NewWorkspace { input }))
                    .await
                    .map(drop)
            }
            "WorkspaceRename" => {
                let variables = NewName {
                    id: workspace_id,
                    expected_version: 1,
                    name: "Renamed".into(),
                };
                caller.run(WorkspaceRename::build(variables)).await.map(drop)
            }
            "WorkspaceReviewSet" => {
                let workspace = run_operation(&self.owner, "WorkspaceHome", json!({"slug": slug})).await;
                let variables = ReviewsRequired {
                    id: workspace_id,
                    expected_version: workspace["workspace"]["version"].as_i64().unwrap().try_into().unwrap(),
                    require_review: false,
                };
                caller.run(WorkspaceReviewSet::build(variables)).await.map(drop)
            }
            "WorkspaceRetention" => caller.run(WorkspaceRetention::build(BySlug { slug })).await.map(drop),
            "RetentionPreview" => {
                let variables = RetentionInWorkspace {
                    workspace_id,
                    input: retention(),
                };
                caller.run(RetentionPreview::build(variables)).await.map(drop)
            }
            "WorkspaceRetentionSet" => {
                let workspace = run_operation(&self.owner, "WorkspaceHome", json!({"slug": slug})).await;
                let variables = NewRetention {
                    id: workspace_id,
                    expected_version: workspace["workspace"]["version"].as_i64().unwrap().try_into().unwrap(),
                    input: retention(),
                };
                caller.run(WorkspaceRetentionSet::build(variables)).await.map(drop)
            }
            // With a wrong name, because the other operations need the workspace.
            "WorkspaceDelete" => {
                let variables = DeletedWorkspace {
                    id: workspace_id,
                    name: "another name".into(),
                };
                caller.run(WorkspaceDelete::build(variables)).await.map(drop)
            }
            "ReviewsReturned" => caller
                .run(ReviewsReturned::build(InWorkspace { workspace_id }))
                .await
                .map(drop),
            "ReviewsChanged" => {
                self.subscribe(ReviewsChanged::build(InWorkspace { workspace_id }))
                    .await
            }
            "TourRevisions" => {
                let (_, slug, _) = self.tour().await;
                let variables = InWorkspaceBySlug { workspace_id, slug };
                caller.run(TourRevisions::build(variables)).await.map(drop)
            }
            "RevisionContent" => {
                let id = self.draft().await.0;
                caller.run(RevisionContent::build(ById { id })).await.map(drop)
            }
            "RevisionSubmit" => {
                let (id, expected_version) = self.draft().await;
                let variables = Submission { id, expected_version };
                caller.run(RevisionSubmit::build(variables)).await.map(drop)
            }
            "RevisionReturn" => {
                let (id, version) = self.draft().await;
                let submit = json!({"id": id, "expectedVersion": version});
                run_operation(&self.owner, "RevisionSubmit", submit).await;
                caller.run(RevisionReturn::build(ById { id })).await.map(drop)
            }
            "ReviewContent" => {
                let (draft, version) = self.draft().await;
                let submit = json!({"id": draft, "expectedVersion": version});
                run_operation(&self.owner, "RevisionSubmit", submit).await;
                let returned = run_operation(&self.owner, "RevisionReturn", json!({"id": draft})).await;
                let id = id(&returned["revisionReturn"]["reviews"][0]["id"]);
                caller.run(ReviewContent::build(ById { id })).await.map(drop)
            }
            "CommentAdd" => {
                let input = CommentAddInput {
                    revision_id: self.draft().await.0,
                    body: "Good.".into(),
                };
                caller.run(CommentAdd::build(NewComment { input })).await.map(drop)
            }
            "CommentResolve" => {
                let id = self.comment().await;
                caller.run(CommentResolve::build(ById { id })).await.map(drop)
            }
            "CommentReopen" => {
                let id = self.comment().await;
                caller.run(CommentReopen::build(ById { id })).await.map(drop)
            }
            "CommentReply" => {
                let variables = NewReply {
                    id: self.comment().await,
                    body: "Agreed.".into(),
                };
                caller.run(CommentReply::build(variables)).await.map(drop)
            }
            "CommentReplyDelete" => {
                // Authors and publishers can delete only their own replies.
                let is_author = ["author", "publisher"].contains(&self.name.as_str());
                let by = if is_author { caller } else { &self.owner };
                let reply = json!({"id": self.comment().await, "body": "Mine."});
                let id = id(&run_operation(by, "CommentReply", reply).await["commentReply"]["replies"][0]["id"]);
                caller.run(CommentReplyDelete::build(ById { id })).await.map(drop)
            }
            "CommentDelete" => {
                let mut id = self.comment().await;
                // Authors and publishers can delete only their own comments.
                if ["author", "publisher"].contains(&self.name.as_str()) {
                    let input = json!({"input": {"revisionId": self.draft().await.0, "body": "Mine."}});
                    id = self::id(&run_operation(caller, "CommentAdd", input).await["commentAdd"]["id"]);
                }
                caller.run(CommentDelete::build(ById { id })).await.map(drop)
            }
            "AccessTokens" => caller
                .run(AccessTokens::build(InWorkspace { workspace_id }))
                .await
                .map(drop),
            "AccessTokenCreate" => {
                let input = AccessTokenCreateInput {
                    workspace_id,
                    name: self.unique("token"),
                    role: AccessTokenRole::Author,
                };
                caller
                    .run(AccessTokenCreate::build(NewAccessTokenInput { input }))
                    .await
                    .map(drop)
            }
            "AccessTokenRevoke" => {
                let id = self.access_token().await;
                caller.run(AccessTokenRevoke::build(ById { id })).await.map(drop)
            }
            "Invitations" => caller
                .run(Invitations::build(InWorkspace { workspace_id }))
                .await
                .map(drop),
            "InvitationOffer" => {
                let token = self.link().await;
                caller.run(InvitationOffer::build(ByToken { token })).await.map(drop)
            }
            "InvitationCreate" => {
                let input = InvitationCreateInput {
                    workspace_id,
                    email: format!("{}@example.com", self.unique("invited")),
                    role: Role::Viewer,
                };
                caller
                    .run(InvitationCreate::build(NewInvitation { input }))
                    .await
                    .map(drop)
            }
            "InvitationRenew" => {
                let id = self.invitation().await;
                caller.run(InvitationRenew::build(ById { id })).await.map(drop)
            }
            "InvitationRevoke" => {
                let id = self.invitation().await;
                caller.run(InvitationRevoke::build(ById { id })).await.map(drop)
            }
            "InvitationAccept" => {
                let token = self.link().await;
                caller.run(InvitationAccept::build(ByToken { token })).await.map(drop)
            }
            "MemberRemove" => caller
                .run(MemberRemove::build(ById {
                    id: self.members[0].clone(),
                }))
                .await
                .map(drop),
            "MemberLeave" => {
                let result = caller.run(MemberLeave::build(InWorkspace { workspace_id })).await;
                if result.is_ok() {
                    let (name, role) = (format!("{}-caller", self.name), self.name.to_uppercase());
                    join(&self.owner, &self.workspace, caller, &name, &role).await;
                }
                result.map(drop)
            }
            "MemberRoleSet" => {
                let variables = NewRole {
                    id: self.members[1].clone(),
                    role: Role::Author,
                };
                caller.run(MemberRoleSet::build(variables)).await.map(drop)
            }
            "SiteCreate" => {
                let input = SiteCreateInput {
                    workspace_id,
                    name: "Shop".into(),
                    origins: vec![SHOP.into()],
                };
                caller.run(SiteCreate::build(NewSite { input })).await.map(drop)
            }
            "SiteUpdate" => {
                let input = SiteUpdateInput {
                    id: self.site().await.0,
                    expected_version: 1,
                    name: Some("Shop".into()),
                };
                caller.run(SiteUpdate::build(ChangedSite { input })).await.map(drop)
            }
            "SiteIdentity" => {
                let variables = ById {
                    id: self.site().await.0,
                };
                caller.run(SiteIdentity::build(variables)).await.map(drop)
            }
            "IdentityKeyCreate" => {
                let variables = OnSite {
                    site_id: self.site().await.0,
                };
                caller.run(IdentityKeyCreate::build(variables)).await.map(drop)
            }
            "IdentityKeyRevoke" => {
                let site_id = self.site().await.0;
                let variables = OnSite {
                    site_id: site_id.clone(),
                };
                let created = self.owner.run(IdentityKeyCreate::build(variables)).await;
                let keys = created.expect("a key").identity_key_create.site.identity_keys;
                let id = keys[0].id.clone();
                let variables = IdentityKeyOnSite { site_id, id };
                caller.run(IdentityKeyRevoke::build(variables)).await.map(drop)
            }
            "SiteKeyRotate" => caller
                .run(SiteKeyRotate::build(ById {
                    id: self.site().await.0,
                }))
                .await
                .map(drop),
            "SiteChanged" => {
                self.subscribe(SiteChanged::build(ById {
                    id: self.site().await.0,
                }))
                .await
            }
            "SiteRefusedOrigins" => {
                let variables = ById {
                    id: self.read_site().await,
                };
                caller.run(SiteRefusedOrigins::build(variables)).await.map(drop)
            }
            "SiteTraits" => {
                let variables = ById {
                    id: self.read_site().await,
                };
                caller.run(SiteTraits::build(variables)).await.map(drop)
            }
            "VisitorMatches" => {
                let variables = OfSite {
                    site_id: self.site().await.0,
                };
                caller.run(VisitorMatches::build(variables)).await.map(drop)
            }
            "SegmentCreate" => {
                let variables = NewSegment {
                    workspace_id,
                    input: segment_input("Verified customers"),
                };
                caller.run(SegmentCreate::build(variables)).await.map(drop)
            }
            "SegmentUpdate" => {
                let variables = ChangedSegment {
                    id: self.segment().await,
                    expected_version: 1,
                    input: segment_input("Customers"),
                };
                caller.run(SegmentUpdate::build(variables)).await.map(drop)
            }
            "SegmentDelete" => caller
                .run(SegmentDelete::build(ById {
                    id: self.segment().await,
                }))
                .await
                .map(drop),
            "ThemeCreate" => {
                let input = ThemeInput { name: "Night".into() };
                caller
                    .run(ThemeCreate::build(NewTheme { workspace_id, input }))
                    .await
                    .map(drop)
            }
            "ThemeUpdate" => {
                let input = ThemeInput {
                    name: self.unique("night"),
                };
                let variables = ChangedTheme {
                    id: self.theme().await,
                    expected_version: 1,
                    input,
                };
                caller.run(ThemeUpdate::build(variables)).await.map(drop)
            }
            "ThemeDefaultSet" => caller
                .run(ThemeDefaultSet::build(ById { id: self.theme().await }))
                .await
                .map(drop),
            "ThemeDelete" => caller
                .run(ThemeDelete::build(ById { id: self.theme().await }))
                .await
                .map(drop),
            other => self.call_on_tour(other).await,
        }
    }
}
