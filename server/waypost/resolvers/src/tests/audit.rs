use std::collections::BTreeSet;

use traitql::{Patch, Viewer, with_batch};
use waypost_api::{
    AccessTokenCreateInput, AccessTokenRole, AuditEntry, AuditFilterInput, Change, CommentAddInput,
    InvitationCreateInput, ReleaseAdjustInput, RetentionInput, Role, SegmentConditionInput, SegmentInput, Site,
    SiteUpdateInput, ThemeInput, VisitorFilterInput, resolve, role,
};

use crate::testing::{TestApp, anonymous, code};

fn declared() -> BTreeSet<String> {
    let parts = waypost_api::SDL.split("@audited(action: \"").skip(1);
    // The first one is the directive's definition.
    let actions = parts.filter_map(|part| part.split_once('"').map(|(action, _)| action.to_owned()));
    actions.collect()
}

#[tokio::test]
async fn every_audited_mutation_writes_an_entry() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;

    change_workspace(&test, &admin).await;
    let site = change_site(&test, &admin).await;
    change_themes(&test, &admin).await;
    change_segments(&test, &admin).await;
    change_tours(&test, &admin, &site).await;
    change_access_tokens(&test, &admin).await;

    let page = resolve::QueryAudit::resolve(app, cx, &admin, admin.scope().clone(), None, 200, None)
        .await
        .expect("the log");
    let found: BTreeSet<String> = page.nodes.iter().map(|entry| entry.action.clone()).collect();
    assert_eq!(
        found,
        declared(),
        "add new `@audited` mutations to this test, and write with `Store::write` in their resolvers"
    );
    let of = |action: &str| {
        let entry = page
            .nodes
            .iter()
            .find(|entry| entry.action == action)
            .expect("an entry");
        let change = |c: &Change| (c.field.clone(), c.before.clone(), c.after.clone());
        entry.changes.iter().map(change).collect::<Vec<_>>()
    };
    let value = |text: &str| Some(text.to_owned());
    assert_eq!(
        of("release.adjust"),
        [
            ("site".to_owned(), None, value("Store")),
            ("rolloutPercent".to_owned(), value("100"), value("50")),
            ("note".to_owned(), None, value("Too many questions."))
        ]
    );
    let released = of("tour.release");
    assert_eq!(
        released.iter().map(|(field, ..)| field.as_str()).collect::<Vec<_>>(),
        ["sites", "revision"],
        "default terms are not recorded"
    );
    let rename = page
        .nodes
        .iter()
        .find(|entry| entry.action == "tour.rename")
        .expect("the entry");
    assert_eq!(rename.subject, "Tour first", "the name before the change");
    assert_eq!(rename.changes[0].after.as_deref(), Some("Begin here"));
    let accounts = with_batch(&page.nodes, async |entries| {
        let by = resolve::AuditEntryBy::resolve(app, cx, entries)
            .await
            .expect("accounts");
        by.get(0).map(|account| account.name.clone())
    });
    assert_eq!(accounts.await.as_deref(), Some("ada"));
}

async fn change_workspace(test: &TestApp, admin: &Viewer<role::Admin>) {
    let (app, cx) = (&test.app, &anonymous());
    let workspace = admin.scope().clone();
    resolve::MutationWorkspaceRename::resolve(app, cx, admin, workspace.clone(), 1, "Crew".into())
        .await
        .expect("renamed");
    for (version, required) in [(2, true), (3, false)] {
        resolve::MutationWorkspaceReviewSet::resolve(app, cx, admin, workspace.clone(), version, required)
            .await
            .expect("set");
    }
    let retention = RetentionInput {
        run_days: 90,
        ..RetentionInput::default()
    };
    resolve::MutationWorkspaceRetentionSet::resolve(app, cx, admin, workspace.clone(), 4, retention)
        .await
        .expect("set");
    let bob = test.member(admin, "bob", Role::Viewer).await.id;
    resolve::MutationMemberRoleSet::resolve(app, cx, admin, bob.clone(), Role::Author)
        .await
        .expect("a role");
    resolve::MutationMemberRemove::resolve(app, cx, admin, bob)
        .await
        .expect("removed");

    let invite = InvitationCreateInput::new(workspace.clone(), "bob@example.com".into(), Role::Viewer);
    let invited = resolve::MutationInvitationCreate::resolve(app, cx, admin, invite)
        .await
        .expect("an invitation");
    let renewed = resolve::MutationInvitationRenew::resolve(app, cx, admin, invited.invitation.id, 7)
        .await
        .expect("a new link");
    let bob = Viewer::for_test(test.account("bob").await, None);
    resolve::MutationInvitationAccept::resolve(app, cx, &bob, renewed.token)
        .await
        .expect("a member");
    let bob = Viewer::for_test(bob.account, Some(workspace.clone()));
    resolve::MutationMemberLeave::resolve(app, cx, &bob, workspace.clone())
        .await
        .expect("left");
    let invite = InvitationCreateInput::new(workspace.clone(), "bob@example.com".into(), Role::Viewer);
    let invited = resolve::MutationInvitationCreate::resolve(app, cx, admin, invite)
        .await
        .expect("an invitation");
    resolve::MutationInvitationRevoke::resolve(app, cx, admin, invited.invitation.id)
        .await
        .expect("revoked");
}

async fn change_site(test: &TestApp, admin: &Viewer<role::Admin>) -> Site {
    let (app, cx) = (&test.app, &anonymous());
    let site = test.site(admin, "Shop").await;
    let visitor = super::runs::stored_visitor(test, &site, "browser-1").await;
    resolve::MutationVisitorTesterSet::resolve(app, cx, &admin.lower(), visitor.clone(), true)
        .await
        .expect("a test visitor");
    resolve::MutationVisitorReset::resolve(app, cx, &admin.lower(), visitor.clone(), None)
        .await
        .expect("reset");
    resolve::MutationVisitorExport::resolve(app, cx, admin, visitor.clone())
        .await
        .expect("exported");
    resolve::MutationVisitorErase::resolve(app, cx, admin, visitor)
        .await
        .expect("erased");
    let (from, until) = (app.now(), app.now());
    let filter = VisitorFilterInput::new(from, until);
    resolve::MutationVisitorsErase::resolve(app, cx, admin, site.id.clone(), filter)
        .await
        .expect("removed");
    let mut update = SiteUpdateInput::new(site.id.clone(), 1);
    update.name = Patch::Set("Store".into());
    resolve::MutationSiteUpdate::resolve(app, cx, admin, update)
        .await
        .expect("updated");
    let created = resolve::MutationIdentityKeyCreate::resolve(app, cx, admin, site.id.clone(), None);
    created.await.expect("a key");
    let keys = waypost_domain::identity::store::keys(app.store.reader(), std::slice::from_ref(&site.id)).await;
    let key = keys.expect("keys").remove(0).1.id;
    resolve::MutationIdentityKeyRevoke::resolve(app, cx, admin, site.id.clone(), key)
        .await
        .expect("revoked");
    resolve::MutationSiteKeyRotate::resolve(app, cx, admin, site.id.clone())
        .await
        .expect("rotated");
    site
}

async fn change_themes(test: &TestApp, admin: &Viewer<role::Admin>) {
    let (app, cx) = (&test.app, &anonymous());
    let workspace = admin.scope().clone();
    let input = || ThemeInput::new("Night".into());
    let theme = resolve::MutationThemeCreate::resolve(app, cx, &admin.lower(), workspace.clone(), input())
        .await
        .expect("a theme");
    let mut darker = input();
    darker.overlay_opacity = 0.9;
    darker.accent_color = Some("#aa3300".to_owned());
    resolve::MutationThemeUpdate::resolve(app, cx, &admin.lower(), theme.id.clone(), 1, darker)
        .await
        .expect("updated");
    resolve::MutationThemeDefaultSet::resolve(app, cx, &admin.lower(), theme.id.clone())
        .await
        .expect("the default");
    let spare = resolve::MutationThemeCreate::resolve(app, cx, &admin.lower(), workspace.clone(), input())
        .await
        .expect("a theme");
    resolve::MutationThemeDelete::resolve(app, cx, &admin.lower(), spare.id)
        .await
        .expect("deleted");
}

async fn change_segments(test: &TestApp, admin: &Viewer<role::Admin>) {
    let (app, cx) = (&test.app, &anonymous());
    let workspace = admin.scope().clone();
    let customers = |name: &str| SegmentInput::new(name.into(), SegmentConditionInput::Verified(true));
    let input = customers("Customers");
    let segment = resolve::MutationSegmentCreate::resolve(app, cx, &admin.lower(), workspace.clone(), input)
        .await
        .expect("a segment")
        .id;
    let input = customers("Verified customers");
    resolve::MutationSegmentUpdate::resolve(app, cx, &admin.lower(), segment.clone(), 1, input)
        .await
        .expect("updated");
    resolve::MutationSegmentDelete::resolve(app, cx, &admin.lower(), segment)
        .await
        .expect("deleted");
}

async fn change_tours(test: &TestApp, admin: &Viewer<role::Admin>, site: &Site) {
    let (app, cx) = (&test.app, &anonymous());
    let tour = test.tour(admin, "first", &["a"]).await;
    resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), 1, "Begin here".into())
        .await
        .expect("renamed");
    let first = waypost_domain::tour::revisions::drafts(app.store.reader(), std::slice::from_ref(&tour.id))
        .await
        .expect("drafts")
        .remove(0);
    resolve::MutationRevisionSubmit::resolve(app, cx, &admin.lower(), first.id.clone(), 2, Some("Look.".into()), None)
        .await
        .expect("in review");
    resolve::MutationRevisionReturn::resolve(app, cx, &admin.lower(), first.id.clone(), None)
        .await
        .expect("returned");
    let comment = CommentAddInput::new(first.id, "Good.".into());
    let comment = resolve::MutationCommentAdd::resolve(app, cx, &admin.lower(), comment)
        .await
        .expect("a comment");
    resolve::MutationCommentReply::resolve(app, cx, &admin.lower(), comment.id.clone(), "Agreed.".into())
        .await
        .expect("a reply");
    let reply = super::comments::replies(app, &comment).await.remove(0);
    resolve::MutationCommentReplyDelete::resolve(app, cx, &admin.lower(), reply.id)
        .await
        .expect("deleted");
    resolve::MutationCommentDelete::resolve(app, cx, &admin.lower(), comment.id)
        .await
        .expect("deleted");
    test.release(admin, &tour, 2, site).await;
    test.save(admin, &tour, 3, &["a", "b"]).await;
    let second = test.release(admin, &tour, 4, site).await;
    let back = resolve::MutationReleaseRollback::resolve(app, cx, &admin.lower(), second.id, None, false, None)
        .await
        .expect("rolled back");
    let mut half = ReleaseAdjustInput::new(back.id);
    half.rollout_percent = Patch::Set(50);
    half.note = Patch::Set(" Too many questions. ".into());
    let half = resolve::MutationReleaseAdjust::resolve(app, cx, &admin.lower(), half)
        .await
        .expect("adjusted");
    resolve::MutationReleasePause::resolve(app, cx, &admin.lower(), half.id.clone(), None)
        .await
        .expect("paused");
    resolve::MutationReleaseResume::resolve(app, cx, &admin.lower(), half.id.clone(), None)
        .await
        .expect("resumed");
    resolve::MutationTourDuplicate::resolve(app, cx, &admin.lower(), tour.id.clone(), "Copy".into(), "copy".into())
        .await
        .expect("duplicated");
    resolve::MutationReleaseEnd::resolve(app, cx, &admin.lower(), half.id, false, None)
        .await
        .expect("ended");
    resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("archived");
    resolve::MutationTourRestore::resolve(app, cx, &admin.lower(), tour.id)
        .await
        .expect("restored");
}

async fn change_access_tokens(test: &TestApp, admin: &Viewer<role::Admin>) {
    let (app, cx) = (&test.app, &anonymous());
    let workspace = admin.scope().clone();
    let token = AccessTokenCreateInput::new(workspace.clone(), "CI".into(), AccessTokenRole::Author);
    let token = resolve::MutationAccessTokenCreate::resolve(app, cx, admin, token)
        .await
        .expect("an access token");
    resolve::MutationAccessTokenRevoke::resolve(app, cx, admin, token.access_token.id)
        .await
        .expect("revoked");
}

#[tokio::test]
async fn the_log_can_be_filtered() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let bob = Viewer::for_test(test.account("bob").await, Some(admin.scope().clone()));
    let rename = async |viewer: &Viewer<role::Admin>, version, name: &str| {
        let (app, id) = (&test.app, admin.scope().clone());
        let renamed =
            resolve::MutationWorkspaceRename::resolve(app, &anonymous(), viewer, id, version, name.into()).await;
        renamed.expect("renamed");
        test.advance(1000);
    };
    test.advance(1000);
    let start = test.app.now();
    rename(&admin, 1, "Red").await;
    rename(&bob, 2, "Green").await;
    let end = test.app.now();
    rename(&admin, 3, "Blue").await;
    test.site(&admin, "Shop").await;

    let names = async |filter: AuditFilterInput| {
        let workspace = admin.scope().clone();
        let page =
            resolve::QueryAudit::resolve(&test.app, &anonymous(), &admin, workspace, Some(filter), 9, None).await;
        let nodes = page.expect("the log").nodes.into_iter();
        let name = |entry: AuditEntry| entry.changes[0].after.clone().unwrap_or_default();
        nodes.map(name).collect::<Vec<_>>()
    };
    let all = AuditFilterInput::default;
    let by_bob = AuditFilterInput {
        by_id: Patch::Set(bob.account.clone()),
        ..all()
    };
    assert_eq!(names(by_bob).await, ["Green"]);
    let of_action = AuditFilterInput {
        action: Patch::Set("workspace.rename".into()),
        ..all()
    };
    assert_eq!(names(of_action).await, ["Blue", "Green", "Red"]);
    let in_time = AuditFilterInput {
        from: Patch::Set(start),
        until: Patch::Set(end),
        ..all()
    };
    assert_eq!(names(in_time).await, ["Green", "Red"]);
    let search = |words: &str| AuditFilterInput {
        search: Patch::Set(words.into()),
        ..all()
    };
    assert_eq!(names(search(" gREEN ")).await, ["Blue", "Green"], "before or after");
    assert_eq!(names(search("SHOP.example")).await, ["https://shop.example"]);
    assert!(names(search("100%")).await.is_empty());
    assert_eq!(names(search("  ")).await.len(), 5);

    let actors = resolve::QueryAuditActors::resolve(&test.app, &anonymous(), &admin, admin.scope().clone()).await;
    let actors: Vec<String> = actors
        .expect("accounts")
        .into_iter()
        .map(|account| account.name)
        .collect();
    assert_eq!(actors, ["ada", "bob"]);
}

#[tokio::test]
async fn a_rejected_mutation_writes_no_entry() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let workspace = admin.scope().clone();
    let refused =
        resolve::MutationWorkspaceRename::resolve(&test.app, &anonymous(), &admin, workspace.clone(), 7, "X".into())
            .await;
    assert_eq!(code(refused), "VERSION_CONFLICT");
    let page = resolve::QueryAudit::resolve(&test.app, &anonymous(), &admin, workspace, None, 200, None)
        .await
        .expect("the log");
    let actions: Vec<&str> = page.nodes.iter().map(|entry| entry.action.as_str()).collect();
    assert_eq!(actions, ["workspace.create"]);
}

#[tokio::test]
async fn the_log_is_paginated_newest_first() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let other = test.workspace("other", "bob").await;
    for version in 1..=5 {
        let rename = async |admin: &Viewer<role::Admin>, name: String| {
            let (app, id) = (&test.app, admin.scope().clone());
            resolve::MutationWorkspaceRename::resolve(app, &anonymous(), admin, id, version, name).await
        };
        rename(&admin, format!("Name {version}")).await.expect("renamed");
        rename(&other, format!("Other {version}")).await.expect("renamed");
    }
    let mut after = None;
    let mut seen = Vec::new();
    loop {
        let page = resolve::QueryAudit::resolve(&test.app, &anonymous(), &admin, admin.scope().clone(), None, 4, after)
            .await
            .expect("a page");
        seen.extend(
            page.nodes
                .iter()
                .map(|entry| entry.changes[0].after.clone().unwrap_or_default()),
        );
        if !page.has_next_page {
            break;
        }
        after = page.end_cursor().map(str::to_owned);
    }
    assert_eq!(seen, ["Name 5", "Name 4", "Name 3", "Name 2", "Name 1", "team"]);
}
