//! Permissions of access tokens, until they end.

use traitql::{Id, Viewer};
use waypost_api::{AccessTokenCreateInput, AccessTokenRole, NewAccessToken, Role, Subject, resolve, role};
use waypost_domain::{access_token::MAX_TOKENS, store::scalar, workspace};

use crate::testing::{TestApp, anonymous, code};

const DAY: i64 = 24 * 60 * 60 * 1000;

async fn create(test: &TestApp, admin: &Viewer<role::Admin>, name: &str) -> NewAccessToken {
    let mut input = AccessTokenCreateInput::new(admin.scope().clone(), name.into(), AccessTokenRole::Publisher);
    input.days = 30;
    let created = resolve::MutationAccessTokenCreate::resolve(&test.app, &anonymous(), admin, input).await;
    created.expect("an access token")
}

/// Returns the role of the token's caller, or `None` if the token is not accepted.
async fn role_with(test: &TestApp, admin: &Viewer<role::Admin>, secret: &str) -> Option<Role> {
    let principal = test
        .app
        .access_token(secret)
        .expect("one of Waypost's tokens")
        .await
        .expect("a result")?;
    let account = test.app.account_of(&principal).await.expect("an account");
    let subject = Subject::Workspace(admin.scope());
    let granted = workspace::store::role_on(test.app.store.reader(), &account, subject).await;
    granted.expect("a result").map(|(_, role)| role)
}

pub(super) async fn token_account(test: &TestApp, admin: &Viewer<role::Admin>) -> Id {
    let secret = create(test, admin, "CI").await.secret;
    let principal = test.app.access_token(&secret).expect("one of Waypost's tokens").await;
    let principal = principal.expect("a result").expect("a caller");
    test.app.account_of(&principal).await.expect("an account")
}

#[tokio::test]
async fn a_token_is_a_member_with_its_role_until_it_expires_or_is_revoked() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let admin = test.workspace("team", "ada").await;
        let NewAccessToken { access_token, secret } = create(&test, &admin, "CI").await;
        assert!(!format!("{access_token:?}").contains(&secret));
        assert_eq!(role_with(&test, &admin, &secret).await, Some(Role::Publisher));
        assert_eq!(
            role_with(&test, &admin, &format!("{secret}0")).await,
            None,
            "an unknown secret"
        );
        assert!(
            test.app.access_token("eyJhbGciOiJSUzI1NiJ9.e30.c2ln").is_none(),
            "a token of a provider"
        );

        let listed = resolve::QueryAccessTokens::resolve(&test.app, &anonymous(), &admin, admin.scope().clone()).await;
        let listed = listed.expect("tokens");
        assert_eq!(listed.len(), 1);
        assert!(listed[0].last_used_at.is_some());
        let scopes = [admin.scope().clone()];
        let members = workspace::store::members_of_workspaces(test.app.store.reader(), &scopes, 10).await;
        assert_eq!(members.expect("members").len(), 1, "a token is not listed as a member");

        test.advance(30 * DAY - 1);
        assert_eq!(role_with(&test, &admin, &secret).await, Some(Role::Publisher));
        test.advance(1);
        assert_eq!(role_with(&test, &admin, &secret).await, None, "expired");

        let other = create(&test, &admin, "Nightly").await;
        let revoke = async |id: &Id| {
            code(resolve::MutationAccessTokenRevoke::resolve(&test.app, &anonymous(), &admin, id.clone()).await)
        };
        assert_eq!(revoke(&other.access_token.id).await, "no error");
        assert_eq!(role_with(&test, &admin, &other.secret).await, None, "revoked");
        assert_eq!(revoke(&other.access_token.id).await, "NOT_FOUND");
    }
}

#[tokio::test]
async fn a_token_can_neither_create_workspaces_nor_do_what_requires_a_recent_sign_in() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let secret = create(&test, &admin, "CI").await.secret;
    let principal = test.app.access_token(&secret).expect("one of Waypost's tokens").await;
    let principal = principal.expect("a result").expect("a caller");
    assert_eq!(principal.authenticated, traitql::Authenticated::Unknown);
    let account = test.app.account_of(&principal).await.expect("an account");
    assert!(!test.app.may_create_workspaces(&account).await.expect("a result"));
    assert!(test.app.may_create_workspaces(&admin.account).await.expect("a result"));
}

#[tokio::test]
async fn the_number_of_tokens_is_limited() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    for number in 0..MAX_TOKENS {
        create(&test, &admin, &format!("CI {number}")).await;
    }
    let input = AccessTokenCreateInput::new(admin.scope().clone(), "One more".into(), AccessTokenRole::Viewer);
    let refused = resolve::MutationAccessTokenCreate::resolve(&test.app, &anonymous(), &admin, input).await;
    assert_eq!(code(refused), "LIMIT_REACHED");
}

async fn tokens(test: &TestApp) -> i64 {
    let count = scalar("select count(*) from access_tokens").fetch_one(test.app.store.reader());
    count.await.expect("a number")
}

#[tokio::test]
async fn a_token_that_leaves_the_workspace_no_longer_exists() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let admin = test.workspace("team", "ada").await;
        for number in 0..=MAX_TOKENS {
            let secret = create(&test, &admin, &format!("CI {number}")).await.secret;
            let principal = test.app.access_token(&secret).expect("one of Waypost's tokens").await;
            let account = test
                .app
                .account_of(&principal.expect("a result").expect("a caller"))
                .await;
            let program = Viewer::<role::Viewer>::for_test(account.expect("an account"), admin.scope.clone());
            let cx = anonymous();
            let left = resolve::MutationMemberLeave::resolve(&test.app, &cx, &program, admin.scope().clone());
            left.await.expect("left");
            assert_eq!(role_with(&test, &admin, &secret).await, None);
            assert_eq!(tokens(&test).await, 0);
        }
    }
}

#[tokio::test]
async fn the_tokens_of_an_administrator_end_with_the_role() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        let test = TestApp::over(postgres, |_| {}).await;
        let admin = test.workspace("team", "ada").await;
        let cx = anonymous();
        let own = create(&test, &admin, "CI of Ada").await.secret;
        for demoted in [None, Some(Role::Author)] {
            let name = if demoted.is_some() { "bob" } else { "eve" };
            let member = test.member(&admin, name, Role::Admin).await;
            let viewer = Viewer::<role::Admin>::for_test(member.account_id.clone(), admin.scope.clone());
            let secret = create(&test, &viewer, "CI of the other").await.secret;
            assert_eq!(role_with(&test, &admin, &secret).await, Some(Role::Publisher));
            match demoted {
                None => {
                    let removed = resolve::MutationMemberRemove::resolve(&test.app, &cx, &admin, member.id);
                    removed.await.expect("removed");
                }
                Some(role) => {
                    let set = resolve::MutationMemberRoleSet::resolve(&test.app, &cx, &admin, member.id, role);
                    set.await.expect("demoted");
                }
            }
            assert_eq!(role_with(&test, &admin, &secret).await, None);
            assert_eq!(role_with(&test, &admin, &own).await, Some(Role::Publisher));
            let entry: String = scalar("select changes from audit_entries order by at desc, id desc limit 1")
                .fetch_one(test.app.store.reader())
                .await
                .expect("an entry");
            assert!(entry.contains("accessTokens"), "{entry}");
        }
        assert_eq!(tokens(&test).await, 1);
        let members: i64 = scalar("select count(*) from members")
            .fetch_one(test.app.store.reader())
            .await
            .expect("a number");
        assert_eq!(members, 3, "ada, bob and the program of ada");
    }
}
