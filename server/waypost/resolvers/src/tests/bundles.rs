//! Bundles that `boot` offers: their content, their addresses, and when these change.

use traitql::Patch;
use waypost_api::{
    BranchInput, ConditionInput, StartRuleInput, TextField, ThemeInput, TourProgress, TourSaveInput, TourTestInput,
    TranslationInput, resolve,
};

use super::runs::visit;
use crate::testing::{TestApp, anonymous, step};

#[tokio::test]
async fn a_bundle_has_the_content_of_a_tour_without_conditions() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let other = test.tour(&admin, "other", &["a"]).await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    let on_other = |progress| {
        let test = TourTestInput {
            progress,
            ..TourTestInput::new(other.id.clone())
        };
        ConditionInput::Tour(test)
    };
    let mut draft = TourSaveInput::new(tour.id.clone(), 2);
    let branch = |when| BranchInput {
        to: Patch::Set("b".into()),
        label: Patch::Keep,
        when: Patch::Set(when),
    };
    let (mut branching, mut plain) = (step("a"), step("b"));
    branching.branches = vec![branch(on_other(TourProgress::NeverStarted))];
    plain.branches = vec![branch(ConditionInput::Locale("de".into()))];
    draft.steps = Patch::Set(vec![branching, plain]);
    draft.start = Patch::Set(StartRuleInput {
        when: Patch::Set(ConditionInput::All(vec![
            on_other(TourProgress::NeverStarted),
            ConditionInput::Page("/cart".into()),
        ])),
        ..StartRuleInput::default()
    });
    let saved = resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), draft).await;
    saved.expect("saved");
    test.release(&admin, &tour, 3, &site).await;

    let offered = visit(&test, &site, "browser-1").await.tours.remove(0);
    assert_eq!(
        offered
            .start
            .when
            .as_ref()
            .and_then(|when| when.all.as_ref())
            .map(Vec::len),
        Some(1)
    );
    assert_eq!(offered.branches.len(), 1);
    assert_eq!(offered.branches[0].step_key, "a");
    assert_eq!(offered.branches[0].branches[0].when, None);
    let hash = offered
        .bundle
        .strip_prefix("/t/")
        .and_then(|path| path.strip_suffix(".json"));
    let bundle = test
        .app
        .bundle(hash.expect("a path").to_owned())
        .await
        .expect("a result");
    let bundle = bundle.expect("the bundle");
    assert!(
        !bundle.contains(other.id.as_str()) && !bundle.contains("NEVER_STARTED"),
        "{bundle}"
    );
    for expected in [
        r#"{"title":"Tour first","steps":[{"key":"a","kind":"SPOTLIGHT","title":"Step a""#,
        r#""target":{"by":"DATA_TOUR","value":"a"}"#,
        r#""branches":[],"blockPage":false,"closeOnOutsideClick":false"#,
        r#""when":{"all":null,"any":null,"none":null,"page":null,"locale":"de","device":null,"trait":null,"verified":null,"segment":null,"tour":null}"#,
        r#""start":{"trigger":"AUTO","event":null,"page":null,"when":null,"delayMs":0,"ignoreCooldown":false}"#,
        r##""theme":{"overlayOpacity":0.7,"stagePadding":10,"stageRadius":5,"popoverOffset":10,"animationMs":400,"overlayColor":"#000000","accentColor":null,"popoverWidth":320}"##,
    ] {
        assert!(bundle.contains(expected), "{expected} in {bundle}");
    }

    let (cx, theme) = (
        anonymous(),
        ThemeInput {
            stage_padding: 3,
            popover_radius: Some(0),
            font_family: Some("Inter, sans-serif".into()),
            show_step_count: false,
            ..ThemeInput::new("Wide".into())
        },
    );
    let theme =
        resolve::MutationThemeCreate::resolve(&test.app, &cx, &admin.lower(), admin.scope().clone(), theme).await;
    let theme = theme.expect("a theme").id;
    resolve::MutationThemeDefaultSet::resolve(&test.app, &cx, &admin.lower(), theme)
        .await
        .expect("a default theme");
    let changed = visit(&test, &site, "browser-1").await.tours.remove(0);
    assert_eq!(changed.theme.stage_padding, 3);
    assert_ne!(changed.bundle, offered.bundle);
    let path = changed.bundle.trim_start_matches("/t/").trim_end_matches(".json");
    let look = test.app.bundle(path.to_owned()).await.expect("a result");
    let look = look.expect("the bundle");
    let expected = r#""popoverWidth":320,"popoverRadius":0,"fontFamily":"Inter, sans-serif","showStepCount":false}"#;
    assert!(look.contains(expected), "{look}");
    let kept = test
        .app
        .bundle(hash.expect("a path").to_owned())
        .await
        .expect("a result");
    assert_eq!(kept, Some(bundle));
}

#[tokio::test]
async fn a_bundle_has_the_texts_of_all_languages_without_their_originals() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let mut draft = TourSaveInput::new(tour.id.clone(), 2);
    let mut translated = step("a");
    translated.branches = vec![BranchInput {
        to: Patch::Keep,
        label: Patch::Set("Later".into()),
        when: Patch::Keep,
    }];
    let translation =
        |field, source: &str, text: &str| TranslationInput::new("de".into(), field, source.into(), text.into());
    translated.translations = vec![
        translation(TextField::Title, "An old title", "Schritt a"),
        translation(TextField::BranchLabel, "Later", "Später"),
    ];
    draft.steps = Patch::Set(vec![translated]);
    draft.locales = Patch::Set(vec!["en".into(), "de".into()]);
    let saved = resolve::MutationTourSave::resolve(&test.app, &anonymous(), &admin.lower(), draft).await;
    saved.expect("saved");
    test.release(&admin, &tour, 3, &site).await;

    let offered = visit(&test, &site, "browser-1").await.tours.remove(0);
    assert_eq!(offered.locales, ["en", "de"]);
    let hash = offered
        .bundle
        .strip_prefix("/t/")
        .and_then(|path| path.strip_suffix(".json"));
    let bundle = test
        .app
        .bundle(hash.expect("a path").to_owned())
        .await
        .expect("a result");
    let bundle = bundle.expect("the bundle");
    for expected in [
        r#"{"locale":"de","field":"TITLE","source":"","text":"Schritt a"}"#,
        r#"{"locale":"de","field":"BRANCH_LABEL","source":"Later","text":"Später"}"#,
        r#""locales":["en","de"]"#,
    ] {
        assert!(bundle.contains(expected), "{expected} in {bundle}");
    }
}

#[tokio::test]
async fn bundles_are_kept_for_thirty_days_after_they_were_used() {
    const DAY_MS: i64 = 24 * 60 * 60 * 1000;
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a", "b"]).await;
    test.release(&admin, &tour, 2, &site).await;
    let release = async |version: i32, key: &str| {
        test.save(&admin, &tour, version, &[key]).await;
        test.release(&admin, &tour, version + 1, &site).await;
        visit(&test, &site, "browser-1").await.tours.remove(0).bundle
    };
    let is_stored = async |path: &str| {
        let hash = path.strip_prefix("/t/").and_then(|path| path.strip_suffix(".json"));
        let bundle = test.app.bundle(hash.expect("a path").to_owned()).await;
        bundle.expect("a result").is_some()
    };
    let first = visit(&test, &site, "browser-1").await.tours.remove(0).bundle;
    test.advance(40 * DAY_MS);
    let second = release(3, "c").await;
    assert!(is_stored(&first).await, "a page may have booted just before");
    test.advance(29 * DAY_MS);
    release(5, "d").await;
    assert!(is_stored(&first).await);
    test.advance(2 * DAY_MS);
    release(7, "e").await;
    assert!(!is_stored(&first).await);
    assert!(is_stored(&second).await);

    assert_eq!(release(9, "c").await, second);
    test.advance(40 * DAY_MS);
    release(11, "f").await;
    assert!(is_stored(&second).await);
}
