//! Invitations: who gets in by a link, who does not, and what ends one.

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

use crate::testing::{Bench, code, nobody, principal, request};

const DAY: i64 = 24 * 60 * 60 * 1000;

struct Stage {
    bench: Bench,
    admin: Viewer<role::Admin>,
}

async fn stage() -> Stage {
    let bench = Bench::new().await;
    let admin = bench.workspace("team", "ada").await;
    Stage { bench, admin }
}

impl Stage {
    fn input(&self, email: &str) -> InvitationCreateInput {
        InvitationCreateInput::new(self.admin.scope().clone(), email.into(), Role::Author)
    }

    async fn create(
        &self,
        by: &Viewer<role::Admin>,
        input: InvitationCreateInput,
    ) -> Result<InvitationLink, Throws<field::MutationInvitationCreate>> {
        resolve::MutationInvitationCreate::resolve(&self.bench.app, &nobody(), by, input).await
    }

    async fn invite(&self, email: &str) -> InvitationLink {
        let invited = self.create(&self.admin, self.input(email)).await;
        invited.expect("an invitation")
    }

    async fn renew(&self, id: &Id) -> Result<InvitationLink, Throws<field::MutationInvitationRenew>> {
        let app = &self.bench.app;
        resolve::MutationInvitationRenew::resolve(app, &nobody(), &self.admin, id.clone(), 7).await
    }

    async fn revoke(&self, id: &Id) -> &'static str {
        let app = &self.bench.app;
        code(resolve::MutationInvitationRevoke::resolve(app, &nobody(), &self.admin, id.clone()).await)
    }

    async fn viewer(&self, name: &str) -> Viewer<SignedIn> {
        Viewer::for_test(self.bench.account(name).await, None)
    }

    async fn offer(&self, name: &str, token: &str) -> Result<InvitationOffer, Throws<field::QueryInvitationOffer>> {
        let viewer = self.viewer(name).await;
        resolve::QueryInvitationOffer::resolve(&self.bench.app, &nobody(), &viewer, token.into()).await
    }

    async fn accept(&self, name: &str, token: &str) -> Result<Member, Throws<field::MutationInvitationAccept>> {
        let viewer = self.viewer(name).await;
        resolve::MutationInvitationAccept::resolve(&self.bench.app, &nobody(), &viewer, token.into()).await
    }

    /// What both the offer and its acceptance answer.
    async fn both(&self, name: &str, token: &str) -> [&'static str; 2] {
        [
            code(self.offer(name, token).await),
            code(self.accept(name, token).await),
        ]
    }

    async fn open(&self) -> Vec<Invitation> {
        let (app, workspace) = (&self.bench.app, self.admin.scope().clone());
        let open = resolve::QueryInvitations::resolve(app, &nobody(), &self.admin, workspace).await;
        open.expect("a list")
    }

    async fn role(&self, account: &Id) -> Option<Role> {
        let mut db = self.bench.app.store.read().await.expect("the reader");
        let member = workspace::store::member_of(&mut db, self.admin.scope(), account).await;
        member.expect("an answer").map(|member| member.role)
    }

    /// Makes somebody a second administrator.
    async fn second_admin(&self, name: &str) -> (Viewer<role::Admin>, Member) {
        let account = self.bench.account(name).await;
        let (app, workspace) = (&self.bench.app, self.admin.scope().clone());
        let email = format!("{name}@example.com");
        let (cx, role) = (&nobody(), Role::Admin);
        let member = resolve::MutationMemberAdd::resolve(app, cx, &self.admin, workspace.clone(), email, role).await;
        (Viewer::for_test(account, Some(workspace)), member.expect("a member"))
    }

    /// The newest audit entry: its action, subject and changes.
    async fn newest_entry(&self) -> (String, String, usize) {
        let (app, workspace) = (&self.bench.app, self.admin.scope().clone());
        let page = resolve::QueryAudit::resolve(app, &nobody(), &self.admin, workspace, 1, None).await;
        let entry = page.expect("the log").nodes.remove(0);
        (entry.action, entry.subject, entry.changes.len())
    }
}

#[tokio::test]
async fn whoever_has_the_link_and_the_address_gets_in_once() {
    let stage = stage().await;
    let InvitationLink { invitation, token } = stage.invite("Grace@Example.com").await;
    assert_eq!(
        (invitation.email.as_str(), invitation.state),
        ("grace@example.com", InvitationState::Pending)
    );
    assert_eq!(
        invitation.expires_at.as_millis() - invitation.created_at.as_millis(),
        7 * DAY
    );
    assert_eq!(stage.open().await.len(), 1);

    let offer = stage.offer("grace", &token).await.expect("an offer");
    assert_eq!(
        (
            offer.workspace_name.as_str(),
            offer.role,
            offer.by_name.as_str(),
            offer.is_member
        ),
        ("team", Role::Author, "ada", false)
    );
    let grace = stage.bench.account("grace").await;
    assert_eq!(stage.role(&grace).await, None, "an offer changes nothing");
    let member = stage.accept("grace", &token).await.expect("a member");
    assert_eq!((member.account_id, member.role), (grace.clone(), Role::Author));
    assert_eq!(stage.role(&grace).await, Some(Role::Author));
    assert_eq!(stage.open().await.len(), 0);
    assert_eq!(
        stage.newest_entry().await,
        ("invitation.accept".into(), "grace".into(), 1)
    );

    // The link again: whoever is in is shown the way, and nobody gets in a second time.
    assert!(stage.offer("grace", &token).await.expect("an offer").is_member);
    assert_eq!(code(stage.accept("grace", &token).await), "INVITATION_USED");
    assert_eq!(stage.both("mallory", &token).await, ["INVITATION_USED"; 2]);
}

#[tokio::test]
async fn a_link_that_was_used_lets_nobody_back_in() {
    let stage = stage().await;
    let token = stage.invite("grace@example.com").await.token;
    let member = stage.accept("grace", &token).await.expect("a member");
    resolve::MutationMemberRemove::resolve(&stage.bench.app, &nobody(), &stage.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(stage.both("grace", &token).await, ["INVITATION_USED"; 2]);
}

#[tokio::test]
async fn a_link_without_its_secret_opens_nothing() {
    let stage = stage().await;
    let InvitationLink { invitation, token } = stage.invite("grace@example.com").await;
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
        assert_eq!(stage.both("grace", guess).await, ["INVITATION_UNKNOWN"; 2], "{guess}");
    }
    // What is stored does not say it.
    let stored: String = scalar("select token_hash from invitations")
        .fetch_one(stage.bench.app.store.reader())
        .await
        .expect("the row");
    assert_eq!(stored, kept);
}

#[tokio::test]
async fn an_invitation_is_for_one_verified_address() {
    let stage = stage().await;
    let token = stage.invite("grace@example.com").await.token;
    let refused = stage
        .accept("mallory", &token)
        .await
        .expect_err("another account")
        .into_error();
    assert_eq!(refused.code, "INVITATION_FOR_ANOTHER");
    assert_eq!(refused.slots["email"], "g…@example.com", "the rest is not said");
    assert_eq!(code(stage.offer("mallory", &token).await), "INVITATION_FOR_ANOTHER");

    let mut unverified = principal("grace");
    unverified.email_verified = false;
    let account = stage.bench.app.account_of(&unverified).await.expect("an account");
    let viewer = Viewer::<SignedIn>::for_test(account.clone(), None);
    let cx: &Ctx = &request(unverified);
    let accept = || resolve::MutationInvitationAccept::resolve(&stage.bench.app, cx, &viewer, token.clone());
    assert_eq!(code(accept().await), "EMAIL_UNVERIFIED");

    let mut nameless = principal("nameless");
    nameless.email = None;
    let account_without = stage.bench.app.account_of(&nameless).await.expect("an account");
    let without = Viewer::<SignedIn>::for_test(account_without, None);
    let none = resolve::MutationInvitationAccept::resolve(&stage.bench.app, cx, &without, token.clone()).await;
    assert_eq!(code(none), "INVITATION_FOR_ANOTHER");

    // The same person after the provider has verified the address.
    assert_eq!(code(stage.accept("grace", &token).await), "no error");
    assert_eq!(stage.role(&account).await, Some(Role::Author));
}

#[tokio::test]
async fn an_invitation_ends_by_the_clock_and_a_new_link_begins_it_again() {
    let stage = stage().await;
    let InvitationLink { invitation, token } = stage.invite("grace@example.com").await;
    stage.bench.pass(7 * DAY - 1);
    assert_eq!(code(stage.offer("grace", &token).await), "no error");
    stage.bench.pass(1);
    assert_eq!(stage.both("grace", &token).await, ["INVITATION_EXPIRED"; 2]);
    let listed = stage.open().await;
    assert_eq!((listed.len(), listed[0].state), (1, InvitationState::Expired));

    let renewed = stage.renew(&invitation.id).await.expect("a new link");
    assert_eq!(renewed.invitation.state, InvitationState::Pending);
    assert_eq!(
        stage.both("grace", &token).await,
        ["INVITATION_UNKNOWN"; 2],
        "the old link"
    );
    assert_eq!(code(stage.accept("grace", &renewed.token).await), "no error");
    assert_eq!(code(stage.renew(&invitation.id).await), "ILLEGAL_TRANSITION");
    assert_eq!(stage.revoke(&invitation.id).await, "ILLEGAL_TRANSITION");
}

#[tokio::test]
async fn what_was_taken_back_stays_so() {
    let stage = stage().await;
    let InvitationLink { invitation, token } = stage.invite("grace@example.com").await;
    assert_eq!(stage.revoke(&invitation.id).await, "no error");
    assert_eq!(stage.both("grace", &token).await, ["INVITATION_REVOKED"; 2]);
    assert_eq!(code(stage.renew(&invitation.id).await), "ILLEGAL_TRANSITION");
    assert_eq!(stage.open().await.len(), 0);
    let again = stage.invite("grace@example.com").await;
    assert_eq!(code(stage.accept("grace", &again.token).await), "no error");
}

#[tokio::test]
async fn an_invitation_ends_with_the_role_of_who_made_it() {
    let stage = stage().await;
    let (app, cx) = (&stage.bench.app, &nobody());
    let (bob, member) = stage.second_admin("bob").await;
    let theirs = stage
        .create(&bob, stage.input("grace@example.com"))
        .await
        .expect("an invitation");
    let taken_over = stage
        .create(&bob, stage.input("hedy@example.com"))
        .await
        .expect("an invitation");
    let ours = stage.invite("lise@example.com").await;
    let renewed = stage.renew(&taken_over.invitation.id).await.expect("a new link");
    assert_eq!(
        renewed.invitation.by_id, stage.admin.account,
        "whoever makes a link stands for it"
    );

    resolve::MutationMemberRoleSet::resolve(app, cx, &stage.admin, member.id.clone(), Role::Publisher)
        .await
        .expect("another role");
    assert_eq!(
        stage.newest_entry().await,
        ("member.role".into(), "bob".into(), 2),
        "the log says that invitations ended"
    );
    assert_eq!(stage.both("grace", &theirs.token).await, ["INVITATION_REVOKED"; 2]);
    assert_eq!(code(stage.accept("hedy", &renewed.token).await), "no error");
    assert_eq!(code(stage.accept("lise", &ours.token).await), "no error");

    // Being an administrator again brings nothing back; leaving and being removed end invitations too.
    let promote = || resolve::MutationMemberRoleSet::resolve(app, cx, &stage.admin, member.id.clone(), Role::Admin);
    promote().await.expect("an administrator");
    assert_eq!(stage.both("grace", &theirs.token).await, ["INVITATION_REVOKED"; 2]);
    let third = stage
        .create(&bob, stage.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberLeave::resolve(app, cx, &bob.lower(), stage.admin.scope().clone())
        .await
        .expect("left");
    assert_eq!(stage.both("grace", &third.token).await, ["INVITATION_REVOKED"; 2]);
    let (carl, member) = stage.second_admin("carl").await;
    let fourth = stage
        .create(&carl, stage.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberRemove::resolve(app, cx, &stage.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(stage.both("grace", &fourth.token).await, ["INVITATION_REVOKED"; 2]);
}

#[tokio::test]
async fn an_invitation_of_another_workspace_is_left_alone() {
    let stage = stage().await;
    let other = stage.bench.workspace("other", "bob").await;
    let (bob, member) = stage.second_admin("bob").await;
    let mut input = stage.input("grace@example.com");
    input.workspace_id = other.scope().clone();
    let elsewhere = stage.create(&other, input).await.expect("an invitation");
    let here = stage
        .create(&bob, stage.input("grace@example.com"))
        .await
        .expect("an invitation");
    resolve::MutationMemberRemove::resolve(&stage.bench.app, &nobody(), &stage.admin, member.id)
        .await
        .expect("removed");
    assert_eq!(code(stage.offer("grace", &here.token).await), "INVITATION_REVOKED");
    let member = stage.accept("grace", &elsewhere.token).await.expect("a member");
    assert_eq!(member.workspace_id, *other.scope());
}

#[tokio::test]
async fn nobody_is_invited_twice_or_who_is_in() {
    let stage = stage().await;
    stage.invite("grace@example.com").await;
    let twice = stage.create(&stage.admin, stage.input("GRACE@example.com")).await;
    assert_eq!(code(twice), "ALREADY_INVITED");
    stage.bench.pass(8 * DAY);
    let expired = stage.create(&stage.admin, stage.input("grace@example.com")).await;
    assert_eq!(
        code(expired),
        "ALREADY_INVITED",
        "what has expired is in the list still"
    );
    let oneself = stage.create(&stage.admin, stage.input("Ada@example.com")).await;
    assert_eq!(code(oneself), "ALREADY_MEMBER");

    // Adding somebody by hand ends what they were invited with.
    stage.bench.account("grace").await;
    let (app, workspace) = (&stage.bench.app, stage.admin.scope().clone());
    let email = "GRACE@example.com".to_owned();
    resolve::MutationMemberAdd::resolve(app, &nobody(), &stage.admin, workspace, email, Role::Viewer)
        .await
        .expect("a member");
    assert_eq!(stage.open().await.len(), 0);
}

#[tokio::test]
async fn invitations_and_members_have_limits() {
    let stage = stage().await;
    let mut first = None;
    for number in 0..invitation::OPEN_MAX {
        let link = stage.invite(&format!("person-{number}@example.com")).await;
        first.get_or_insert(link);
    }
    let more = stage.create(&stage.admin, stage.input("one-more@example.com")).await;
    assert_eq!(code(more), "LIMIT_REACHED");
    let first = first.expect("an invitation");
    let mut tx = stage.bench.app.store.save().await.expect("the writer");
    let now = tx.now;
    for number in 1..200 {
        let person = principal(&format!("filler-{number}"));
        let profile = Profile::of(&person, None);
        let account = account::store::upsert(tx.conn(), &person.issuer, &person.subject, &profile, now).await;
        let (workspace, account) = (stage.admin.scope(), account.expect("an account"));
        workspace::store::member_insert(tx.conn(), workspace, &account, Role::Viewer, now)
            .await
            .expect("a member");
    }
    tx.commit().await.expect("a full workspace");
    assert_eq!(code(stage.accept("person-0", &first.token).await), "LIMIT_REACHED");
    assert_eq!(stage.open().await.len(), 50, "and the invitation is still good");
}

/// Of two at once with the same link, from two devices, one gets in and nothing breaks.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_link_works_once_even_at_the_same_time() {
    let stage = stage().await;
    let token = stage.invite("grace@example.com").await.token;
    let other = stage.bench.another().await;
    let viewer = stage.viewer("grace").await;
    let cx = nobody();
    let (one, two) = tokio::join!(
        resolve::MutationInvitationAccept::resolve(&stage.bench.app, &cx, &viewer, token.clone()),
        resolve::MutationInvitationAccept::resolve(&other, &cx, &viewer, token.clone()),
    );
    let mut codes = [code(one), code(two)];
    codes.sort_unstable();
    assert_eq!(codes, ["INVITATION_USED", "no error"]);
}

#[tokio::test]
async fn members_leave_but_for_the_last_administrator() {
    let stage = stage().await;
    let (app, cx, workspace) = (&stage.bench.app, &nobody(), stage.admin.scope().clone());
    let leave = async |viewer: &Viewer<role::Viewer>| {
        code(resolve::MutationMemberLeave::resolve(app, cx, viewer, workspace.clone()).await)
    };
    assert_eq!(leave(&stage.admin.lower()).await, "LAST_ADMIN");
    let (bob, _) = stage.second_admin("bob").await;
    assert_eq!(leave(&bob.lower()).await, "no error");
    assert_eq!(stage.role(&bob.account).await, None);
    assert_eq!(stage.newest_entry().await, ("member.leave".into(), "bob".into(), 1));
    assert_eq!(leave(&bob.lower()).await, "NOT_FOUND", "who has left meanwhile");
}
