use serde_json::json;
use traitql::{Id, Patch, Viewer, with_batch};
use waypost_api::{
    Boot, BranchInput, ConditionInput, ErrorCode, EventKind, IdentityMode, Release, Site, SiteUpdateInput,
    StartRuleInput, TokenProblem, TraitInput, TraitTestInput, VisitorInput, resolve, role,
};
use waypost_domain::store::new_id;

use super::runs::{boot, event, record, visit, visitor, whole};
use crate::testing::{NOW, TestApp, anonymous, code, page};

const SECOND: i64 = NOW / 1000;

struct Fixture {
    test: TestApp,
    admin: Viewer<role::Admin>,
    site: Site,
    release: Release,
    secret: String,
}

async fn fixture(mode: IdentityMode) -> Fixture {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let release = test.release(&admin, &tour, 2, &site).await;
    let mut fixture = Fixture {
        test,
        admin,
        site,
        release,
        secret: String::new(),
    };
    fixture.secret = fixture.add_key().await;
    fixture.set_mode(mode).await;
    fixture
}

impl Fixture {
    async fn add_key(&self) -> String {
        let (app, site) = (&self.test.app, self.site.id.clone());
        let key = resolve::MutationIdentityKeyCreate::resolve(app, &anonymous(), &self.admin, site, None).await;
        key.expect("a key").secret.expect("a secret")
    }

    async fn set_mode(&mut self, mode: IdentityMode) {
        self.site = set_mode(&self.test, &self.admin, &self.site, mode)
            .await
            .expect("an update");
    }

    fn signed(&self, browser: &str, name: &str) -> VisitorInput {
        VisitorInput {
            token: Patch::Set(token(&self.secret, &self.site.key, name, SECOND + 300)),
            ..visitor(browser, Some(name))
        }
    }

    async fn boot(&self, visitor: VisitorInput) -> Boot {
        boot(&self.test, &self.site, visitor).await
    }

    async fn start(&self, visitor: VisitorInput) -> Id {
        let run = new_id();
        let ack = record(
            &self.test,
            &self.site,
            visitor,
            whole(&run, &self.release, NOW)[..2].to_vec(),
        )
        .await;
        assert_eq!(ack.accepted, 2);
        run
    }

    async fn proceed(&self, visitor: VisitorInput, run: &Id) -> Option<ErrorCode> {
        let done = event(run, &self.release, 2, EventKind::StepDone, Some("a"), NOW);
        let ack = record(&self.test, &self.site, visitor, vec![done]).await;
        ack.rejected.first().map(|rejection| rejection.code)
    }

    async fn proof(&self, id: &Id) -> Option<(Option<String>, bool)> {
        let (app, viewer) = (&self.test.app, self.admin.lower());
        let found = resolve::QueryVisitor::resolve(app, &anonymous(), &viewer, id.clone()).await;
        found
            .expect("a result")
            .map(|visitor| (visitor.external_id, visitor.verified))
    }
}

async fn set_mode(
    test: &TestApp,
    admin: &Viewer<role::Admin>,
    site: &Site,
    mode: IdentityMode,
) -> Result<Site, traitql::Throws<waypost_api::field::MutationSiteUpdate>> {
    let input = SiteUpdateInput {
        identity_mode: Patch::Set(mode),
        ..SiteUpdateInput::new(site.id.clone(), site.version)
    };
    resolve::MutationSiteUpdate::resolve(&test.app, &anonymous(), admin, input).await
}

fn token(secret: &str, audience: &str, subject: &str, expiry: i64) -> String {
    let claims = json!({"sub": subject, "aud": audience, "iat": SECOND, "exp": expiry});
    let key = jsonwebtoken::EncodingKey::from_secret(secret.as_bytes());
    jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).expect("a token")
}

fn resumed(boot: &Boot) -> Option<&Id> {
    Some(&boot.tours.first()?.resume.as_ref()?.run_id)
}

#[tokio::test]
async fn an_anonymous_visitor_who_signs_in_keeps_their_run() {
    for mode in [IdentityMode::Optional, IdentityMode::Required] {
        let fixture = fixture(mode).await;
        let anonymous = visitor("browser-1", None);
        fixture.boot(anonymous.clone()).await;
        let run = fixture.start(anonymous.clone()).await;

        let ada = fixture.boot(fixture.signed("browser-1", "ada")).await;
        assert_eq!((resumed(&ada), ada.token_problem), (Some(&run), None));
        assert_eq!(fixture.proof(&ada.visitor_id).await, Some((Some("ada".into()), true)));
        let elsewhere = fixture.boot(fixture.signed("browser-2", "ada")).await;
        assert_eq!(
            (resumed(&elsewhere), &elsewhere.visitor_id),
            (Some(&run), &ada.visitor_id)
        );
        assert_eq!(fixture.proceed(fixture.signed("browser-1", "ada"), &run).await, None);

        let after = fixture.boot(anonymous.clone()).await;
        assert_ne!(after.visitor_id, ada.visitor_id);
        assert_eq!((after.tours.len(), resumed(&after)), (1, None));
        assert_eq!(
            fixture.proceed(anonymous.clone(), &run).await,
            Some(ErrorCode::RunNotYours)
        );
        let second = fixture.start(anonymous).await;
        let again = fixture.boot(fixture.signed("browser-1", "ada")).await;
        assert_eq!(again.visitor_id, ada.visitor_id);
        assert!([&run, &second].contains(&resumed(&again).expect("a run")));
    }
}

#[tokio::test]
async fn a_customer_number_does_not_give_access_to_a_verified_visitor() {
    let mut fixture = fixture(IdentityMode::Required).await;
    let ada = || fixture.signed("browser-1", "ada");
    let id = fixture.boot(ada()).await.visitor_id;
    let run = fixture.start(ada()).await;
    for mode in [IdentityMode::Required, IdentityMode::Optional, IdentityMode::Off] {
        fixture.set_mode(mode).await;
        for browser in ["browser-1", "browser-9"] {
            for name in [None, Some("ada")] {
                let attacker = || visitor(browser, name);
                let found = fixture.boot(attacker()).await;
                assert_ne!(found.visitor_id, id, "{mode:?} {browser} {name:?}");
                assert_ne!(resumed(&found), Some(&run), "{mode:?} {browser} {name:?}");
                assert_eq!(fixture.proceed(attacker(), &run).await, Some(ErrorCode::RunNotYours));
                assert_ne!(fixture.boot(attacker()).await.visitor_id, id, "after the report");
            }
        }
        if mode != IdentityMode::Off {
            let mallory = fixture.boot(fixture.signed("browser-1", "mallory")).await;
            assert_ne!(resumed(&mallory), Some(&run));
            assert_eq!(
                fixture.proceed(fixture.signed("browser-1", "mallory"), &run).await,
                Some(ErrorCode::RunNotYours)
            );
        }
    }
    fixture.set_mode(IdentityMode::Required).await;
    let ada = fixture.boot(fixture.signed("browser-1", "ada")).await;
    assert_eq!((resumed(&ada), &ada.visitor_id), (Some(&run), &id));
}

#[tokio::test]
async fn a_page_cannot_learn_which_customers_are_verified() {
    let fixture = fixture(IdentityMode::Optional).await;
    fixture.boot(fixture.signed("browser-1", "ada")).await;
    fixture.start(fixture.signed("browser-1", "ada")).await;
    for name in ["ada", "nobody"] {
        let first = fixture.boot(visitor("browser-2", Some(name))).await;
        let second = fixture.boot(visitor("browser-3", Some(name))).await;
        assert_eq!(first.visitor_id, second.visitor_id, "{name}");
        assert_eq!((first.tours.len(), resumed(&first)), (1, None), "{name}");
    }
}

#[tokio::test]
async fn in_required_mode_an_external_id_without_a_valid_token_is_ignored() {
    let fixture = fixture(IdentityMode::Required).await;
    let anonymous = visit(&fixture.test, &fixture.site, "browser-1").await;
    let declared = fixture.boot(visitor("browser-1", Some("ada"))).await;
    assert_eq!(
        (&declared.visitor_id, declared.token_problem),
        (&anonymous.visitor_id, None)
    );
    assert_eq!(fixture.proof(&declared.visitor_id).await, Some((None, false)));
    let invalid = VisitorInput {
        token: Patch::Set(token("wp_sec_other", &fixture.site.key, "ada", SECOND + 300)),
        ..visitor("browser-1", Some("ada"))
    };
    let refused = fixture.boot(invalid.clone()).await;
    assert_eq!(
        (&refused.visitor_id, refused.token_problem),
        (&anonymous.visitor_id, Some(TokenProblem::Signature))
    );
    let events = whole(&new_id(), &fixture.release, NOW);
    let (app, cx, key) = (
        &fixture.test.app,
        page("https://shop.example"),
        fixture.site.key.clone(),
    );
    let reported = resolve::MutationRecord::resolve(app, &cx, key.clone(), invalid.clone(), events).await;
    assert_eq!(code(reported), "IDENTITY_TOKEN_INVALID");
    let goals = resolve::MutationGoalRecord::resolve(app, &cx, key, invalid, Vec::new()).await;
    assert_eq!(code(goals), "IDENTITY_TOKEN_INVALID");
}

#[tokio::test]
async fn a_declared_visitor_becomes_verified_with_their_history() {
    let mut fixture = fixture(IdentityMode::Off).await;
    fixture.boot(visitor("browser-1", Some("ada"))).await;
    let run = fixture.start(visitor("browser-1", Some("ada"))).await;
    fixture.boot(visitor("browser-2", None)).await;
    let other = fixture.start(visitor("browser-2", None)).await;
    fixture.set_mode(IdentityMode::Optional).await;

    // Can be one of the anonymous run.
    assert_eq!(fixture.proceed(fixture.signed("browser-2", "ada"), &other).await, None);
    assert_eq!(fixture.proceed(fixture.signed("browser-2", "ada"), &run).await, None);
    for declared in [visitor("browser-1", None), visitor("browser-1", Some("ada"))] {
        assert_eq!(
            fixture.proceed(declared.clone(), &run).await,
            Some(ErrorCode::RunNotYours)
        );
        assert_eq!(resumed(&fixture.boot(declared).await), None);
    }
}

#[tokio::test]
async fn the_server_tests_traits_and_reveals_no_rule() {
    let fixture = fixture(IdentityMode::Optional).await;
    let Fixture { test, admin, site, .. } = &fixture;
    let tour = test.tour(admin, "pro", &["a"]).await;
    let is_pro = || {
        let test = TraitTestInput {
            value: "pro".into(),
            ..TraitTestInput::new("plan".into())
        };
        ConditionInput::Trait(test)
    };
    let branch = BranchInput {
        when: Patch::Set(is_pro()),
        ..BranchInput::default()
    };
    let mut step = crate::testing::step("a");
    step.branches = vec![branch];
    let start = StartRuleInput {
        when: Patch::Set(ConditionInput::All(vec![is_pro(), ConditionInput::Locale("de".into())])),
        ..StartRuleInput::default()
    };
    let mut save = crate::testing::save_input(tour.id.as_str(), 2);
    (save.start, save.steps) = (Patch::Set(start), Patch::Set(vec![step]));
    resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), save)
        .await
        .expect("saved");
    test.release(admin, &tour, 3, site).await;

    let with = |visitor: VisitorInput, traits: &[(&str, &str)]| VisitorInput {
        traits: Patch::Set(
            traits
                .iter()
                .map(|(key, value)| TraitInput::new((*key).into(), (*value).into()))
                .collect(),
        ),
        ..visitor
    };
    let offered = async |visitor: VisitorInput| {
        let boot = fixture.boot(visitor).await;
        boot.tours.into_iter().find(|offer| offer.tour_id == tour.id)
    };
    assert_eq!(offered(visitor("browser-1", None)).await, None, "no traits");
    assert_eq!(
        offered(with(visitor("browser-1", None), &[("plan", "free")])).await,
        None
    );
    let pro = offered(with(visitor("browser-1", None), &[("plan", "pro"), ("Invalid", "x")])).await;
    let pro = pro.expect("the tour");
    let rest = pro.start.when.expect("a condition");
    assert_eq!(
        (rest.r#trait, rest.all.map(|of| of.len())),
        (None, Some(1)),
        "the page tests the language"
    );
    assert_eq!(pro.branches[0].branches[0].when, None);
    let bundle = test
        .app
        .bundle(pro.bundle.split(['/', '.']).nth(2).expect("a hash").into())
        .await;
    assert!(!bundle.expect("a result").expect("the bundle").contains("plan"));
    // Omitted traits are kept.
    assert!(offered(visitor("browser-1", None)).await.is_some());
    assert_eq!(offered(with(visitor("browser-1", None), &[])).await, None);
    // Precedes a declared one.
    let claims = json!({"sub": "ada", "aud": site.key, "exp": SECOND + 300, "traits": {"plan": "pro", "seats": 7}});
    let key = jsonwebtoken::EncodingKey::from_secret(fixture.secret.as_bytes());
    let signed = VisitorInput {
        token: Patch::Set(jsonwebtoken::encode(&jsonwebtoken::Header::default(), &claims, &key).expect("a token")),
        ..visitor("browser-2", Some("ada"))
    };
    assert!(offered(with(signed.clone(), &[("plan", "free")])).await.is_some());
    let id = fixture.boot(signed).await.visitor_id;
    let found = resolve::QueryVisitor::resolve(&test.app, &anonymous(), &admin.lower(), id).await;
    let traits = found.expect("a result").expect("the visitor").traits;
    let traits: Vec<_> = traits
        .iter()
        .map(|each| (each.key.as_str(), each.value.as_str(), each.signed))
        .collect();
    assert_eq!(traits, [("plan", "pro", true), ("seats", "7", true)]);
}

#[tokio::test]
async fn keys_are_rotated_without_an_interruption() {
    let fixture = fixture(IdentityMode::Required).await;
    let Fixture { test, admin, site, .. } = &fixture;
    let cx = &anonymous();
    let second = fixture.add_key().await;
    let third =
        resolve::MutationIdentityKeyCreate::resolve(&test.app, &anonymous(), admin, site.id.clone(), None).await;
    assert_eq!(code(third), "TOO_MANY_IDENTITY_KEYS");
    let public = Some("-----BEGIN PUBLIC KEY-----".to_owned());
    let invalid = resolve::MutationIdentityKeyCreate::resolve(&test.app, cx, admin, site.id.clone(), public);
    assert_eq!(code(invalid.await), "PUBLIC_KEY_INVALID");

    let problem = async |secret: &str| {
        let visitor = VisitorInput {
            token: Patch::Set(token(secret, &site.key, "ada", SECOND + 300)),
            ..visitor("browser-1", Some("ada"))
        };
        fixture.boot(visitor).await.token_problem
    };
    assert_eq!((problem(&fixture.secret).await, problem(&second).await), (None, None));
    test.app.presence.write_or_log(&test.app.store).await;
    let sites = std::slice::from_ref(site);
    let keys = with_batch(sites, async |sites| {
        let keys = resolve::SiteIdentityKeys::resolve(&test.app, &anonymous(), sites).await;
        keys.expect("keys").get(0).to_vec()
    })
    .await;
    let used: Vec<_> = keys
        .iter()
        .map(|key| key.last_used_at.map(|at| at.as_millis()))
        .collect();
    assert_eq!(used, [Some(NOW), Some(NOW)]);
    for key in &keys {
        let id = key.id.clone();
        let revoked = resolve::MutationIdentityKeyRevoke::resolve(&test.app, cx, admin, site.id.clone(), id);
        assert_eq!(code(revoked.await), "no error");
    }
    for secret in [&fixture.secret, &second] {
        assert_eq!(
            problem(secret).await,
            Some(TokenProblem::Signature),
            "both keys are revoked"
        );
    }
    let elsewhere = test.site(admin, "Docs").await;
    let (id, site) = (keys[0].id.clone(), elsewhere.id.clone());
    let foreign = resolve::MutationIdentityKeyRevoke::resolve(&test.app, &anonymous(), admin, site, id).await;
    assert_eq!(code(foreign), "NOT_FOUND");
    let without = set_mode(test, admin, &elsewhere, IdentityMode::Optional).await;
    assert_eq!(code(without), "IDENTITY_KEY_MISSING");
}

#[tokio::test]
async fn the_coverage_counts_identified_visits_of_seven_days() {
    let fixture = fixture(IdentityMode::Optional).await;
    let Fixture { test, site, .. } = &fixture;
    let coverage = async || {
        test.app.presence.write_or_log(&test.app.store).await;
        with_batch(std::slice::from_ref(site), async |sites| {
            let coverage = resolve::SiteIdentityCoverage::resolve(&test.app, &anonymous(), sites).await;
            let coverage = coverage.expect("coverage").get(0).expect("a coverage").clone();
            (coverage.identified, coverage.verified)
        })
        .await
    };
    assert_eq!(coverage().await, (0, 0));
    fixture.boot(visitor("browser-1", None)).await;
    fixture.boot(visitor("browser-1", Some("ada"))).await;
    fixture.boot(fixture.signed("browser-1", "ada")).await;
    assert_eq!(coverage().await, (2, 1));
    test.advance(6 * 24 * 3_600_000);
    fixture.boot(visitor("browser-1", Some("ada"))).await;
    assert_eq!(coverage().await, (3, 1));
    test.advance(24 * 3_600_000);
    fixture.boot(visitor("browser-1", Some("ada"))).await;
    assert_eq!(coverage().await, (2, 0));
}
