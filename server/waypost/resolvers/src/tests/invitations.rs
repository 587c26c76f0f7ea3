use traitql::{Ctx, Id, SignedIn, Throws, Viewer};
use waypost_api::{
    Invitation, InvitationCreateInput, InvitationLink, InvitationOffer, InvitationState, Member, Role, field, resolve,
    role,
};
use waypost_domain::{
    account::{self, Profile},
    invitation,
    store::scalar,
    workspace,
};

use crate::testing::{TestApp, anonymous, code, principal, request};

const DAY: i64 = 24 * 60 * 60 * 1000;

struct Fixture {
    test: TestApp,
    admin: Viewer<role::Admin>,
}

async fn fixture() -> Fixture {
    fixture_over(TestApp::new().await).await
}

async fn fixture_over(test: TestApp) -> Fixture {
    let admin = test.workspace("team", "ada").await;
    Fixture { test, admin }
}

impl Fixture {
    fn input(&self, email: &str) -> InvitationCreateInput {
        InvitationCreateInput::new(self.admin.scope().clone(), email.into(), Role::Author)
    }

    async fn create(
        &self,
        by: &Viewer<role::Admin>,
        input: InvitationCreateInput,
    ) -> Result<InvitationLink, Throws<field::MutationInvitationCreate>> {
        resolve::MutationInvitationCreate::resolve(&self.test.app, &anonymous(), by, input).await
    }

    async fn invite(&self, email: &str) -> InvitationLink {
        let invited = self.create(&self.admin, self.input(email)).await;
        invited.expect("an invitation")
    }

    async fn renew(&self, id: &Id) -> Result<InvitationLink, Throws<field::MutationInvitationRenew>> {
        let app = &self.test.app;
        resolve::MutationInvitationRenew::resolve(app, &anonymous(), &self.admin, id.clone(), 7).await
    }

    async fn revoke(&self, id: &Id) -> &'static str {
        let app = &self.test.app;
        code(resolve::MutationInvitationRevoke::resolve(app, &anonymous(), &self.admin, id.clone()).await)
    }

    async fn viewer(&self, name: &str) -> Viewer<SignedIn> {
        Viewer::for_test(self.test.account(name).await, None)
    }

    async fn offer(&self, name: &str, token: &str) -> Result<InvitationOffer, Throws<field::QueryInvitationOffer>> {
        let viewer = self.viewer(name).await;
        resolve::QueryInvitationOffer::resolve(&self.test.app, &anonymous(), &viewer, token.into()).await
    }

    async fn accept(&self, name: &str, token: &str) -> Result<Member, Throws<field::MutationInvitationAccept>> {
        let viewer = self.viewer(name).await;
        resolve::MutationInvitationAccept::resolve(&self.test.app, &anonymous(), &viewer, token.into()).await
    }

    async fn both(&self, name: &str, token: &str) -> [&'static str; 2] {
        [
            code(self.offer(name, token).await),
            code(self.accept(name, token).await),
        ]
    }

    async fn open(&self) -> Vec<Invitation> {
        let (app, workspace) = (&self.test.app, self.admin.scope().clone());
        let open = resolve::QueryInvitations::resolve(app, &anonymous(), &self.admin, workspace).await;
        open.expect("a list")
    }

    async fn role(&self, account: &Id) -> Option<Role> {
        let mut db = self.test.app.store.read().await.expect("the reader");
        let member = workspace::store::member_of(&mut db, self.admin.scope(), account).await;
        member.expect("a result").map(|member| member.role)
    }

    async fn second_admin(&self, name: &str) -> (Viewer<role::Admin>, Member) {
        let member = self.test.member(&self.admin, name, Role::Admin).await;
        let scope = Some(self.admin.scope().clone());
        (Viewer::for_test(member.account_id.clone(), scope), member)
    }

    async fn newest_entry(&self) -> (String, String, usize) {
        let (app, workspace) = (&self.test.app, self.admin.scope().clone());
        let page = resolve::QueryAudit::resolve(app, &anonymous(), &self.admin, workspace, None, 1, None).await;
        let entry = page.expect("the log").nodes.remove(0);
        (entry.action, entry.subject, entry.changes.len())
    }
}

#[tokio::test]
async fn a_link_and_its_address_make_an_account_a_member_once() {
    let fixture = fixture().await;
    let InvitationLink { invitation, token } = fixture.invite("Grace@Example.com").await;
    assert_eq!(
        (invitation.email.as_str(), invitation.state),
        ("grace@example.com", InvitationState::Pending)
    );
    assert_eq!(
        invitation.expires_at.as_millis() - invitation.created_at.as_millis(),
        7 * DAY
    );
    assert_eq!(fixture.open().await.len(), 1);

    let offer = fixture.offer("grace", &token).await.expect("an offer");
    assert_eq!(
        (
            offer.workspace_name.as_str(),
            offer.role,
            offer.by_name.as_str(),
            offer.is_member
        ),
        ("team", Role::Author, "ada", false)
    );
    let grace = fixture.test.account("grace").await;
    assert_eq!(fixture.role(&grace).await, None, "requesting the offer changes nothing");
    let member = fixture.accept("grace", &token).await.expect("a member");
    assert_eq!((member.account_id, member.role), (grace.clone(), Role::Author));
    assert_eq!(fixture.role(&grace).await, Some(Role::Author));
    assert_eq!(fixture.open().await.len(), 0);
    assert_eq!(
        fixture.newest_entry().await,
        ("invitation.accept".into(), "grace".into(), 1)
    );

    // A used link leads a member to the workspace.
    assert!(fixture.offer("grace", &token).await.expect("an offer").is_member);
    assert_eq!(code(fixture.accept("grace", &token).await), "INVITATION_USED");
    assert_eq!(fixture.both("mallory", &token).await, ["INVITATION_USED"; 2]);
}

#[tokio::test]
async fn a_used_link_does_not_readmit_a_former_member() {
    let fixture = fixture().await;
    let token = fixture.invite("grace@example.com").await.token;
    let member = fixture.accept("grace", &token).await.expect("a member");
    resolve::MutationMemberRemove::resolve(&fixture.test.app, &anonymous(), &fixture.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(fixture.both("grace", &token).await, ["INVITATION_USED"; 2]);
}

#[tokio::test]
async fn an_unknown_secret_is_rejected() {
    let fixture = fixture().await;
    let InvitationLink { invitation, token } = fixture.invite("grace@example.com").await;
    let mut shorter = token.clone();
    shorter.pop();
    let kept = invitation::hash(&token);
    for guess in [
        "",
        "%",
        invitation.id.as_str(),
        &shorter,
        &token.to_uppercase(),
        &format!("{token} "),
        &kept,
    ] {
        assert_eq!(fixture.both("grace", guess).await, ["INVITATION_UNKNOWN"; 2], "{guess}");
    }
    let stored: String = scalar("select token_hash from invitations")
        .fetch_one(fixture.test.app.store.reader())
        .await
        .expect("the row");
    assert_eq!(stored, kept);
}

#[tokio::test]
async fn an_invitation_is_for_one_verified_address() {
    let fixture = fixture().await;
    let token = fixture.invite("grace@example.com").await.token;
    let refused = fixture
        .accept("mallory", &token)
        .await
        .expect_err("another account")
        .into_error();
    assert_eq!(refused.code, "INVITATION_FOR_ANOTHER");
    assert_eq!(refused.slots["email"], "g…@example.com", "the address is abbreviated");
    assert_eq!(code(fixture.offer("mallory", &token).await), "INVITATION_FOR_ANOTHER");

    let mut unverified = principal("grace");
    unverified.email_verified = false;
    let account = fixture.test.app.account_of(&unverified).await.expect("an account");
    let viewer = Viewer::<SignedIn>::for_test(account.clone(), None);
    let cx: &Ctx = &request(unverified);
    let accept = || resolve::MutationInvitationAccept::resolve(&fixture.test.app, cx, &viewer, token.clone());
    assert_eq!(code(accept().await), "EMAIL_UNVERIFIED");

    let mut nameless = principal("nameless");
    nameless.email = None;
    let account_without = fixture.test.app.account_of(&nameless).await.expect("an account");
    let without = Viewer::<SignedIn>::for_test(account_without, None);
    let none = resolve::MutationInvitationAccept::resolve(&fixture.test.app, cx, &without, token.clone()).await;
    assert_eq!(code(none), "INVITATION_FOR_ANOTHER");

    assert_eq!(code(fixture.accept("grace", &token).await), "no error");
    assert_eq!(fixture.role(&account).await, Some(Role::Author));
}

#[tokio::test]
async fn an_expired_invitation_can_be_renewed() {
    let fixture = fixture().await;
    let InvitationLink { invitation, token } = fixture.invite("grace@example.com").await;
    fixture.test.advance(7 * DAY - 1);
    assert_eq!(code(fixture.offer("grace", &token).await), "no error");
    fixture.test.advance(1);
    assert_eq!(fixture.both("grace", &token).await, ["INVITATION_EXPIRED"; 2]);
    let listed = fixture.open().await;
    assert_eq!((listed.len(), listed[0].state), (1, InvitationState::Expired));

    let renewed = fixture.renew(&invitation.id).await.expect("a new link");
    assert_eq!(renewed.invitation.state, InvitationState::Pending);
    assert_eq!(
        fixture.both("grace", &token).await,
        ["INVITATION_UNKNOWN"; 2],
        "the old link"
    );
    assert_eq!(code(fixture.accept("grace", &renewed.token).await), "no error");
    assert_eq!(code(fixture.renew(&invitation.id).await), "ILLEGAL_TRANSITION");
    assert_eq!(fixture.revoke(&invitation.id).await, "ILLEGAL_TRANSITION");
}

#[tokio::test]
async fn a_revoked_invitation_stays_revoked() {
    let fixture = fixture().await;
    let InvitationLink { invitation, token } = fixture.invite("grace@example.com").await;
    assert_eq!(fixture.revoke(&invitation.id).await, "no error");
    assert_eq!(fixture.both("grace", &token).await, ["INVITATION_REVOKED"; 2]);
    assert_eq!(code(fixture.renew(&invitation.id).await), "ILLEGAL_TRANSITION");
    assert_eq!(fixture.open().await.len(), 0);
    let again = fixture.invite("grace@example.com").await;
    assert_eq!(code(fixture.accept("grace", &again.token).await), "no error");
}

#[tokio::test]
async fn an_invitation_is_revoked_when_its_administrator_is_demoted() {
    let fixture = fixture().await;
    let (app, cx) = (&fixture.test.app, &anonymous());
    let (bob, member) = fixture.second_admin("bob").await;
    let theirs = fixture
        .create(&bob, fixture.input("grace@example.com"))
        .await
        .expect("an invitation");
    let taken_over = fixture
        .create(&bob, fixture.input("hedy@example.com"))
        .await
        .expect("an invitation");
    let ours = fixture.invite("lise@example.com").await;
    let renewed = fixture.renew(&taken_over.invitation.id).await.expect("a new link");
    assert_eq!(
        renewed.invitation.by_id, fixture.admin.account,
        "the invitation belongs to the creator of its latest link"
    );

    resolve::MutationMemberRoleSet::resolve(app, cx, &fixture.admin, member.id.clone(), Role::Publisher)
        .await
        .expect("another role");
    assert_eq!(
        fixture.newest_entry().await,
        ("member.role".into(), "bob".into(), 2),
        "the audit entry contains the revoked invitations"
    );
    assert_eq!(fixture.both("grace", &theirs.token).await, ["INVITATION_REVOKED"; 2]);
    assert_eq!(code(fixture.accept("hedy", &renewed.token).await), "no error");
    assert_eq!(code(fixture.accept("lise", &ours.token).await), "no error");

    // Becoming an administrator again does not restore them. Leaving and being removed revoke invitations too.
    let promote = || resolve::MutationMemberRoleSet::resolve(app, cx, &fixture.admin, member.id.clone(), Role::Admin);
    promote().await.expect("an administrator");
    assert_eq!(fixture.both("grace", &theirs.token).await, ["INVITATION_REVOKED"; 2]);
    let third = fixture
        .create(&bob, fixture.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberLeave::resolve(app, cx, &bob.lower(), fixture.admin.scope().clone())
        .await
        .expect("left");
    assert_eq!(fixture.both("grace", &third.token).await, ["INVITATION_REVOKED"; 2]);
    let (carl, member) = fixture.second_admin("carl").await;
    let fourth = fixture
        .create(&carl, fixture.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberRemove::resolve(app, cx, &fixture.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(fixture.both("grace", &fourth.token).await, ["INVITATION_REVOKED"; 2]);
}

#[tokio::test]
async fn invitations_of_another_workspace_are_not_revoked() {
    let fixture = fixture().await;
    let other = fixture.test.workspace("other", "bob").await;
    let (bob, member) = fixture.second_admin("bob").await;
    let mut input = fixture.input("grace@example.com");
    input.workspace_id = other.scope().clone();
    let elsewhere = fixture.create(&other, input).await.expect("an invitation");
    let here = fixture
        .create(&bob, fixture.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberRemove::resolve(&fixture.test.app, &anonymous(), &fixture.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(code(fixture.offer("grace", &here.token).await), "INVITATION_REVOKED");
    let member = fixture.accept("grace", &elsewhere.token).await.expect("a member");
    assert_eq!(member.workspace_id, *other.scope());
}

#[tokio::test]
async fn members_and_invited_addresses_cannot_be_invited() {
    let fixture = fixture().await;
    fixture.invite("grace@example.com").await;
    let twice = fixture.create(&fixture.admin, fixture.input("GRACE@example.com")).await;
    assert_eq!(code(twice), "ALREADY_INVITED");
    fixture.test.advance(8 * DAY);
    let expired = fixture.create(&fixture.admin, fixture.input("grace@example.com")).await;
    assert_eq!(
        code(expired),
        "ALREADY_INVITED",
        "what has expired is in the list still"
    );
    let oneself = fixture.create(&fixture.admin, fixture.input("Ada@example.com")).await;
    assert_eq!(code(oneself), "ALREADY_MEMBER");
}

#[tokio::test]
async fn invitations_and_members_have_limits() {
    let fixture = fixture().await;
    let mut first = None;
    for number in 0..invitation::MAX_OPEN_INVITATIONS {
        let link = fixture.invite(&format!("person-{number}@example.com")).await;
        first.get_or_insert(link);
    }
    let more = fixture
        .create(&fixture.admin, fixture.input("one-more@example.com"))
        .await;
    assert_eq!(code(more), "LIMIT_REACHED");
    let first = first.expect("an invitation");
    let mut tx = fixture.test.app.store.save().await.expect("the writer");
    let now = tx.now;
    for number in 1..200 {
        let filler = principal(&format!("filler-{number}"));
        let profile = Profile::of(&filler, None);
        let account = account::store::upsert(tx.conn(), &filler.issuer, &filler.subject, &profile, now).await;
        let (workspace, account) = (fixture.admin.scope(), account.expect("an account"));
        workspace::store::member_insert(tx.conn(), workspace, &account, Role::Viewer, now)
            .await
            .expect("a member");
    }
    tx.commit().await.expect("a full workspace");
    assert_eq!(code(fixture.accept("person-0", &first.token).await), "LIMIT_REACHED");
    assert_eq!(fixture.open().await.len(), 50, "and the invitation is still good");
}

/// Two devices accept concurrently.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn concurrent_acceptances_make_one_member() {
    let postgres = Some(waypost_testkit::create_database());
    let fixture = fixture_over(TestApp::over(postgres, |_| {}).await).await;
    let token = fixture.invite("grace@example.com").await.token;
    let other = fixture.test.another().await;
    let viewer = fixture.viewer("grace").await;
    let cx = anonymous();
    let (one, two) = tokio::join!(
        resolve::MutationInvitationAccept::resolve(&fixture.test.app, &cx, &viewer, token.clone()),
        resolve::MutationInvitationAccept::resolve(&other, &cx, &viewer, token.clone()),
    );
    let mut codes = [code(one), code(two)];
    codes.sort_unstable();
    assert_eq!(codes, ["INVITATION_USED", "no error"]);
}

#[tokio::test]
async fn members_can_leave_except_the_last_administrator() {
    let fixture = fixture().await;
    let (app, cx, workspace) = (&fixture.test.app, &anonymous(), fixture.admin.scope().clone());
    let leave = async |viewer: &Viewer<role::Viewer>| {
        code(resolve::MutationMemberLeave::resolve(app, cx, viewer, workspace.clone()).await)
    };
    assert_eq!(leave(&fixture.admin.lower()).await, "LAST_ADMIN");
    let (bob, _) = fixture.second_admin("bob").await;
    assert_eq!(leave(&bob.lower()).await, "no error");
    assert_eq!(fixture.role(&bob.account).await, None);
    assert_eq!(fixture.newest_entry().await, ("member.leave".into(), "bob".into(), 1));
    assert_eq!(leave(&bob.lower()).await, "NOT_FOUND", "who has left meanwhile");
}
