use std::collections::BTreeSet;

use traitql::{Id, Principal, Viewer};
use waypost_api::{Access, Role, Subject, WorkspaceCreateInput, resolve, role};

use crate::ClaimGrant;
use crate::testing::{TestApp, anonymous, code, principal, request};

async fn role_of(test: &TestApp, subject: &str, workspace: &str) -> Option<Role> {
    let account = test.account(subject).await;
    let subject = Subject::WorkspaceBySlug(workspace);
    let grant = test.app.grant(&anonymous(), &account, subject).await.expect("a result");
    grant.map(|grant| grant.role)
}

fn claiming(subject: &str, roles: &[&str]) -> Principal {
    Principal {
        roles: roles.iter().map(|role| (*role).to_owned()).collect(),
        ..principal(subject)
    }
}

#[tokio::test]
async fn an_account_is_created_at_first_sign_in_and_kept_up_to_date() {
    let test = TestApp::new().await;
    let id = test.app.account(&request(principal("ada"))).await.expect("an account");
    let renamed = Principal {
        name: Some("Ada Lovelace".into()),
        ..principal("ada")
    };
    assert_eq!(test.app.account(&request(renamed)).await.expect("an account"), id);
    let account = waypost_domain::account::store::by_ids(test.app.store.reader(), std::slice::from_ref(&id))
        .await
        .expect("rows")
        .remove(0);
    assert_eq!(account.name, "Ada Lovelace");
    let elsewhere = Principal {
        issuer: "https://other.example".into(),
        ..principal("ada")
    };
    assert_ne!(
        test.app.account(&request(elsewhere)).await.expect("an account"),
        id,
        "a subject is only unique within its issuer"
    );
}

#[tokio::test]
async fn only_the_creator_has_access_to_a_new_workspace() {
    let test = TestApp::new().await;
    test.workspace("team", "ada").await;
    assert_eq!(role_of(&test, "ada", "team").await, Some(Role::Admin));
    assert_eq!(role_of(&test, "bob", "team").await, None);
    assert_eq!(role_of(&test, "ada", "nowhere").await, None);
}

#[tokio::test]
async fn every_kind_of_subject_resolves_to_its_workspace() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let stranger = test.account("bob").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let input = waypost_api::CommentAddInput::new(release.revision_id.clone(), "Good.".into());
    let comment = resolve::MutationCommentAdd::resolve(&test.app, &anonymous(), &admin.lower(), input)
        .await
        .expect("a comment");
    resolve::MutationCommentReply::resolve(
        &test.app,
        &anonymous(),
        &admin.lower(),
        comment.id.clone(),
        "Agreed.".into(),
    )
    .await
    .expect("a reply");
    let reply = super::comments::replies(&test.app, &comment).await.remove(0);
    let draft = super::reviews::draft(&test.app, &tour).await;
    resolve::MutationRevisionSubmit::resolve(
        &test.app,
        &anonymous(),
        &admin.lower(),
        draft.id,
        draft.version,
        None,
        None,
    )
    .await
    .expect("in review");
    let review = super::reviews::waiting(&test.app, admin.scope()).await.remove(0);
    let email = "grace@example.com".to_owned();
    let input = waypost_api::InvitationCreateInput::new(admin.scope().clone(), email, Role::Viewer);
    let invited = resolve::MutationInvitationCreate::resolve(&test.app, &anonymous(), &admin, input)
        .await
        .expect("an invitation");
    let reader = || test.app.store.reader();
    let scope = [admin.scope().clone()];
    let theme = waypost_domain::theme::store::of_workspaces(reader(), &scope)
        .await
        .expect("themes")
        .remove(0);
    let members =
        waypost_domain::workspace::store::members_of_accounts(reader(), std::slice::from_ref(&admin.account)).await;
    let member = members.expect("members").remove(0);
    for subject in [
        Subject::Workspace(admin.scope()),
        Subject::WorkspaceBySlug("team"),
        Subject::Site(&site.id),
        Subject::Theme(&theme.id),
        Subject::Tour(&tour.id),
        Subject::Release(&release.id),
        Subject::Revision(&release.revision_id),
        Subject::Review(&review.id),
        Subject::Comment(&comment.id),
        Subject::CommentReply(&reply.id),
        Subject::Member(&member.id),
        Subject::Invitation(&invited.invitation.id),
    ] {
        let grant = test
            .app
            .grant(&anonymous(), &admin.account, subject)
            .await
            .expect("a result");
        assert_eq!(
            grant.map(|grant| grant.scope).as_ref(),
            Some(admin.scope()),
            "{subject:?}"
        );
        assert_eq!(
            test.app
                .grant(&anonymous(), &stranger, subject)
                .await
                .expect("a result"),
            None,
            "{subject:?}"
        );
    }
}

#[tokio::test]
async fn a_removed_member_loses_access_immediately() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let (app, cx) = (&test.app, anonymous());
    let bob = test.member(&admin, "bob", Role::Publisher).await;
    assert_eq!(role_of(&test, "bob", "team").await, Some(Role::Publisher));
    let removed = resolve::MutationMemberRemove::resolve(app, &cx, &admin, bob.id.clone()).await;
    assert_eq!(removed.expect("removed"), bob.id);
    assert_eq!(role_of(&test, "bob", "team").await, None);
    let again = resolve::MutationMemberRemove::resolve(app, &cx, &admin, bob.id).await;
    assert_eq!(code(again), "NOT_FOUND", "removed in the meantime");
}

#[tokio::test]
async fn the_last_administrator_can_neither_leave_nor_be_demoted() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let (app, cx) = (&test.app, anonymous());
    let reader = test.app.store.reader();
    let members =
        waypost_domain::workspace::store::members_of_accounts(reader, std::slice::from_ref(&admin.account)).await;
    let own = members.expect("members").remove(0).id;
    let step_down = async || resolve::MutationMemberRoleSet::resolve(app, &cx, &admin, own.clone(), Role::Author).await;
    assert_eq!(code(step_down().await), "LAST_ADMIN");
    assert_eq!(
        code(resolve::MutationMemberRemove::resolve(app, &cx, &admin, own.clone()).await),
        "LAST_ADMIN"
    );
    test.member(&admin, "bob", Role::Admin).await;
    assert_eq!(step_down().await.expect("no longer the last").role, Role::Author);
}

#[tokio::test]
async fn workspace_slugs_are_unique() {
    let test = TestApp::new().await;
    test.workspace("team", "ada").await;
    let bob = Viewer::for_test(test.account("bob").await, None);
    let input = WorkspaceCreateInput::new("Other".into(), "team".into());
    let refused = resolve::MutationWorkspaceCreate::resolve(&test.app, &anonymous(), &bob, input).await;
    assert_eq!(code(refused), "WORKSPACE_SLUG_TAKEN");
}

#[tokio::test]
async fn claims_grant_roles_in_their_workspace_when_they_change() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    let admin = test.workspace("team", "ada").await;
    test.workspace("other", "ada").await;
    let app = &test.app;
    let bob = app
        .account_of(&claiming("bob", &["staff", "author"]))
        .await
        .expect("an account");
    let role = async || {
        let grant = app
            .grant(&anonymous(), &bob, Subject::WorkspaceBySlug("team"))
            .await
            .expect("a result");
        grant.map(|grant| grant.role)
    };
    assert_eq!(role().await, Some(Role::Author));
    let elsewhere = app
        .grant(&anonymous(), &bob, Subject::WorkspaceBySlug("other"))
        .await
        .expect("a result");
    assert_eq!(elsewhere, None);

    // A manually changed role is kept until the claim changes.
    let reader = app.store.reader();
    let member = waypost_domain::workspace::store::members_of_accounts(reader, std::slice::from_ref(&bob)).await;
    let member = member.expect("members").remove(0).id;
    resolve::MutationMemberRemove::resolve(app, &anonymous(), &admin, member)
        .await
        .expect("removed");
    app.account_of(&claiming("bob", &["author"])).await.expect("an account");
    assert_eq!(role().await, None);
    app.account_of(&claiming("bob", &["publisher"]))
        .await
        .expect("an account");
    assert_eq!(role().await, Some(Role::Publisher));
    app.account_of(&claiming("bob", &["viewer"])).await.expect("an account");
    assert_eq!(role().await, Some(Role::Viewer));
    let unknown = Principal {
        roles_known: false,
        ..claiming("bob", &[])
    };
    app.account_of(&unknown).await.expect("an account");
    assert_eq!(role().await, Some(Role::Viewer), "incomplete claims revoke nothing");
    app.account_of(&claiming("bob", &[])).await.expect("an account");
    assert_eq!(role().await, None, "the only role was revoked");

    let entries = resolve::QueryAudit::resolve(app, &anonymous(), &admin, admin.scope().clone(), None, 99, None).await;
    let entries = entries
        .expect("the log")
        .nodes
        .into_iter()
        .filter(|entry| entry.by_id == bob);
    let actions: BTreeSet<String> = entries.map(|entry| entry.action).collect();
    assert_eq!(
        actions,
        BTreeSet::from(["member.claim".to_owned()]),
        "bob has not added himself"
    );
}

#[tokio::test]
async fn creating_workspaces_can_be_restricted_to_administrators() {
    let test = TestApp::with(|config| config.restricts_workspace_creation = true).await;
    let admin = test.workspace("first", "ada").await;
    let create = async |account: &Id, slug: &str| {
        let viewer = Viewer::for_test(account.clone(), None);
        let input = WorkspaceCreateInput::new(slug.into(), slug.into());
        let may = resolve::QueryViewer::resolve(&test.app, &anonymous(), &viewer).await;
        let may = may.expect("a viewer").may_create_workspaces;
        (
            may,
            code(resolve::MutationWorkspaceCreate::resolve(&test.app, &anonymous(), &viewer, input).await),
        )
    };
    assert_eq!(create(&admin.account, "second").await, (true, "no error"));
    let bob = test.account("bob").await;
    assert_eq!(create(&bob, "third").await, (false, "WORKSPACE_CREATION_RESTRICTED"));
}

#[tokio::test]
async fn a_pending_demotion_is_applied_once_there_is_another_administrator() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    test.workspace("team", "ada").await;
    let ada = test.account("ada").await;
    let app = &test.app;
    let role = async |account: &traitql::Id| {
        let grant = app.grant(&anonymous(), account, Subject::WorkspaceBySlug("team")).await;
        grant.expect("a result").map(|grant| grant.role)
    };
    app.account_of(&claiming("ada", &["viewer"])).await.expect("an account");
    assert_eq!(
        role(&ada).await,
        Some(Role::Admin),
        "the last administrator keeps the role"
    );
    let bob = app.account_of(&claiming("bob", &["admin"])).await.expect("an account");
    assert_eq!(role(&bob).await, Some(Role::Admin));
    app.account_of(&claiming("ada", &["viewer"])).await.expect("an account");
    assert_eq!(
        role(&ada).await,
        Some(Role::Viewer),
        "the role that the provider revoked is gone"
    );
}

#[tokio::test]
async fn a_pending_demotion_does_not_cause_a_write_at_each_request() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    test.workspace("team", "ada").await;
    let app = &test.app;
    // A write would time out.
    let writing = app.store.save().await.expect("the writer");
    app.account_of(&claiming("ada", &["viewer"]))
        .await
        .expect("nothing to write");
    app.account_of(&claiming("ada", &[])).await.expect("nothing to write");
    drop(writing);
    app.account_of(&claiming("bob", &["admin"])).await.expect("an account");
}

#[tokio::test]
async fn a_claim_stays_pending_until_its_workspace_exists() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    test.app
        .account_of(&claiming("bob", &["author"]))
        .await
        .expect("an account");
    test.workspace("team", "ada").await;
    let bob = test
        .app
        .account_of(&claiming("bob", &["author"]))
        .await
        .expect("an account");
    let grant = test
        .app
        .grant(&anonymous(), &bob, Subject::WorkspaceBySlug("team"))
        .await
        .expect("a result");
    assert_eq!(grant.map(|grant| grant.role), Some(Role::Author));
}

#[tokio::test]
async fn without_a_claims_workspace_claims_grant_nothing() {
    let test = TestApp::new().await;
    let admin: Viewer<role::Admin> = test.workspace("team", "ada").await;
    let bob = test
        .app
        .account_of(&claiming("bob", &["admin"]))
        .await
        .expect("an account");
    let grant = test
        .app
        .grant(&anonymous(), &bob, Subject::Workspace(admin.scope()))
        .await;
    assert_eq!(grant.expect("a result"), None);
}

#[tokio::test]
async fn groups_grant_roles_in_several_workspaces() {
    let issuer = principal("bob").issuer;
    let grant = |claim: &str, workspace: &str, role| ClaimGrant {
        issuer: issuer.clone(),
        claim: claim.into(),
        workspace: workspace.into(),
        role,
    };
    let grants = vec![
        grant("staff", "team", Role::Viewer),
        grant("acme/writers", "team", Role::Author),
        grant("acme/writers", "shop", Role::Publisher),
        grant("staff", "later", Role::Viewer),
    ];
    let test = TestApp::with(|config| config.grants = grants).await;
    test.workspace("team", "ada").await;
    test.workspace("shop", "ada").await;
    let sight = async |groups: &[&str]| {
        let bob = test.app.account_of(&claiming("bob", groups)).await.expect("an account");
        let mut roles = Vec::new();
        for workspace in ["team", "shop"] {
            let subject = Subject::WorkspaceBySlug(workspace);
            let grant = test.app.grant(&anonymous(), &bob, subject).await.expect("a result");
            roles.push(grant.map(|grant| grant.role));
        }
        roles
    };
    assert_eq!(sight(&["staff"]).await, [Some(Role::Viewer), None]);
    assert_eq!(
        sight(&["staff", "acme/writers"]).await,
        [Some(Role::Author), Some(Role::Publisher)]
    );
    assert_eq!(sight(&["staff", "admin"]).await, [Some(Role::Viewer), None]);
    assert_eq!(sight(&[]).await, [None, None]);
    let elsewhere = Principal {
        issuer: "https://other.example".into(),
        ..claiming("bob", &["staff"])
    };
    let other = test.app.account_of(&elsewhere).await.expect("an account");
    let granted = test
        .app
        .grant(&anonymous(), &other, Subject::WorkspaceBySlug("team"))
        .await;
    assert_eq!(
        granted.expect("a result"),
        None,
        "the group of another provider has no effect"
    );
}

#[tokio::test]
async fn an_older_token_does_not_restore_a_role() {
    let test = TestApp::with(|config| config.claims_workspace = Some("team".into())).await;
    test.workspace("team", "ada").await;
    let sight = async |made: i64, roles: &[&str]| {
        let principal = Principal {
            issued_at: Some(jiff::Timestamp::from_second(made).expect("a moment")),
            ..claiming("bob", roles)
        };
        let bob = test.app.account_of(&principal).await.expect("an account");
        let subject = Subject::WorkspaceBySlug("team");
        let grant = test.app.grant(&anonymous(), &bob, subject).await.expect("a result");
        grant.map(|grant| grant.role)
    };
    assert_eq!(sight(100, &["author"]).await, Some(Role::Author));
    assert_eq!(sight(200, &[]).await, None, "removed at the provider");
    assert_eq!(
        sight(100, &["author"]).await,
        None,
        "the older token is valid, but its role was revoked"
    );
    assert_eq!(sight(300, &["viewer"]).await, Some(Role::Viewer));
}

#[tokio::test]
async fn the_first_account_administers_existing_workspaces() {
    let test = TestApp::with(|config| config.sample = Some(crate::Sample::Tours)).await;
    assert_eq!(role_of(&test, "ada", "acme").await, Some(Role::Admin));
    assert_eq!(role_of(&test, "bob", "acme").await, None, "only the first account");

    let claimed = TestApp::with(|config| {
        config.sample = Some(crate::Sample::Tours);
        config.claims_workspace = Some("acme".into());
    })
    .await;
    assert_eq!(role_of(&claimed, "ada", "acme").await, None, "the provider decides");
}
