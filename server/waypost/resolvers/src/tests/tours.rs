use traitql::{Ctx, Patch, with_batch};
use waypost_api::{TextField, Tour, TourCreateInput, TourOrder, TourStatus, TranslationInput, resolve};

use crate::{
    App,
    testing::{TestApp, anonymous, code, save_input, step},
};

async fn status(app: &App, cx: &Ctx, tour: &Tour) -> TourStatus {
    let tours = std::slice::from_ref(tour);
    let status = with_batch(tours, async |tours| {
        let column = resolve::TourStatus::resolve(app, cx, tours).await.expect("statuses");
        column.get(0).copied()
    });
    status.await.expect("a status")
}

async fn has_changes(app: &App, cx: &Ctx, tour: &Tour) -> bool {
    let tours = std::slice::from_ref(tour);
    let changes = with_batch(tours, async |tours| {
        let column = resolve::TourHasUnreleasedChanges::resolve(app, cx, tours)
            .await
            .expect("flags");
        column.get(0).copied()
    });
    changes.await.expect("a flag")
}

#[tokio::test]
async fn a_tour_is_a_draft_then_live_then_archived() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    assert_eq!(status(app, cx, &tour).await, TourStatus::Draft);
    assert!(has_changes(app, cx, &tour).await);

    let release = test.release(&admin, &tour, 2, &site).await;
    assert_eq!(status(app, cx, &tour).await, TourStatus::Live);
    assert!(!has_changes(app, cx, &tour).await);
    test.save(&admin, &tour, 3, &["a", "b"]).await;
    assert!(has_changes(app, cx, &tour).await);
    test.save(&admin, &tour, 4, &["a"]).await;
    assert!(!has_changes(app, cx, &tour).await, "the change was reverted");

    let archive = async || resolve::MutationTourArchive::resolve(app, cx, &admin.lower(), tour.id.clone()).await;
    let error = archive().await.expect_err("it plays").into_error();
    assert_eq!(
        error.message,
        "This tour has releases on Shop that have not ended. Stop the tour there, then archive it."
    );
    resolve::MutationReleaseEnd::resolve(app, cx, &admin.lower(), release.id, false, None)
        .await
        .expect("ended");
    assert_eq!(status(app, cx, &tour).await, TourStatus::Stopped);
    let archived = archive().await.expect("archived");
    assert_eq!(status(app, cx, &archived).await, TourStatus::Archived);
    let again = archive().await.expect("archived");
    assert_eq!(again, archived, "archiving twice changes nothing");

    let save = resolve::MutationTourSave::resolve(app, cx, &admin.lower(), save_input(tour.id.as_str(), 5)).await;
    assert_eq!(code(save), "TOUR_ARCHIVED");
    let version = archived.version;
    let rename =
        resolve::MutationTourRename::resolve(app, cx, &admin.lower(), tour.id.clone(), version, "X".into()).await;
    assert_eq!(code(rename), "TOUR_ARCHIVED");
    let restored = resolve::MutationTourRestore::resolve(app, cx, &admin.lower(), tour.id.clone())
        .await
        .expect("restored");
    assert_eq!(status(app, cx, &restored).await, TourStatus::Stopped);
}

#[tokio::test]
async fn tour_slugs_are_unique_in_a_workspace() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let other = test.workspace("other", "ada").await;
    test.tour(&admin, "first", &[]).await;
    test.tour(&other, "first", &[]).await;
    let input = TourCreateInput::new(admin.scope().clone(), "Again".into(), "first".into());
    let refused = resolve::MutationTourCreate::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    let error = refused.expect_err("taken").into_error();
    assert_eq!(
        error.message,
        "Another tour of this workspace has the slug “first”. Choose a different slug."
    );
}

#[tokio::test]
async fn a_draft_can_only_use_themes_of_its_workspace() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let other = test.workspace("other", "ada").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let foreign = waypost_domain::theme::store::of_workspaces(app.store.reader(), &[other.scope().clone()]).await;
    let mut input = save_input(tour.id.as_str(), 2);
    input.theme_id = Patch::Set(foreign.expect("themes").remove(0).id);
    assert_eq!(
        code(resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input).await),
        "NOT_FOUND"
    );
}

#[tokio::test]
async fn an_unfinished_draft_can_be_saved_but_keys_are_unique() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let tour = test.tour(&admin, "first", &[]).await;
    let mut input = save_input(tour.id.as_str(), 2);
    let mut unfinished = step("a");
    unfinished.target = Patch::Keep;
    input.steps = Patch::Set(vec![unfinished]);
    let draft = resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input)
        .await
        .expect("saved");
    let problems = with_batch(std::slice::from_ref(&draft), async |drafts| {
        let column = resolve::RevisionProblems::resolve(app, cx, drafts)
            .await
            .expect("problems");
        column
            .get(0)
            .iter()
            .map(|problem| problem.message.clone())
            .collect::<Vec<_>>()
    });
    assert_eq!(problems.await, ["Step “Step a” has no element. Choose one."]);
    let mut input = save_input(tour.id.as_str(), 3);
    input.steps = Patch::Set(vec![step("a"), step("a")]);
    let refused = resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input).await;
    assert_eq!(code(refused), "DUPLICATE_STEP_KEY");
}

#[tokio::test]
async fn translations_are_validated_and_part_of_drafts_revisions_and_copies() {
    for postgres in [None, Some(waypost_testkit::create_database())] {
        check_translations(TestApp::over(postgres, |_| {}).await).await;
    }
}

async fn check_translations(test: TestApp) {
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    let save = async |version, locales: &[&str], text: &str| {
        let mut input = save_input(tour.id.as_str(), version);
        let mut translated = step("a");
        let translation = TranslationInput::new("de".into(), TextField::Title, "Step a".into(), text.into());
        translated.translations = vec![translation];
        input.steps = Patch::Set(vec![translated]);
        input.locales = Patch::Set(locales.iter().map(|locale| (*locale).to_owned()).collect());
        resolve::MutationTourSave::resolve(app, cx, &admin.lower(), input).await
    };
    for (locales, text, message) in [
        (
            &["en"][..],
            "Schritt a",
            "steps[0].translations[0].locale: `de` is not a language into which `locales` translates this tour.",
        ),
        (
            &["en", "de"][..],
            &"x".repeat(81),
            "steps[0].translations[0].text: must have at most 80 characters.",
        ),
    ] {
        let error = save(2, locales, text).await.expect_err("invalid").into_error();
        assert_eq!(error.message, message);
    }
    let draft = save(2, &["en", "de"], "Schritt a").await.expect("saved");
    assert_eq!(draft.locales, ["en", "de"]);
    test.release(&admin, &tour, 3, &site).await;
    assert!(
        !has_changes(app, cx, &tour).await,
        "the next draft has the translations"
    );

    let (title, slug) = ("Copy".into(), "copy".into());
    let copied = resolve::MutationTourDuplicate::resolve(app, cx, &admin.lower(), tour.id.clone(), title, slug).await;
    let copied = copied.expect("copied");
    let drafts = waypost_domain::tour::revisions::drafts(app.store.reader(), &[copied.id]).await;
    let copy = drafts.expect("drafts").remove(0);
    assert_eq!(copy.locales, draft.locales);
    assert_eq!(copy.steps, draft.steps);

    save(4, &["en", "de"], "Anders").await.expect("saved");
    assert!(has_changes(app, cx, &tour).await);
}

#[tokio::test]
async fn tours_are_filtered_by_text_and_status_latest_change_first() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let mut tours = Vec::new();
    for number in 0..5 {
        test.advance(1000);
        tours.push(test.tour(&admin, &format!("tour-{number}"), &["a"]).await);
    }
    test.advance(1000);
    let release = test.release(&admin, &tours[1], 2, &site).await;

    let list = async |search: Option<&str>, status, first, after| {
        let (workspace, search) = (admin.scope().clone(), search.map(str::to_owned));
        let viewer = admin.lower();
        let page = resolve::QueryTours::resolve(
            app,
            cx,
            &viewer,
            workspace,
            search,
            status,
            None,
            None,
            true,
            TourOrder::Changed,
            false,
            first,
            after,
        )
        .await;
        let page = page.expect("a page");
        let slugs: Vec<String> = page.nodes.iter().map(|tour| tour.slug.clone()).collect();
        (slugs.join(" "), page.total_count, page.end_cursor().map(str::to_owned))
    };
    // The first workspace of an installation also has the welcome tour.
    let (first, total, cursor) = list(None, None, 3, None).await;
    assert_eq!((first.as_str(), total), ("tour-1 tour-4 tour-3", Some(6)));
    let (rest, total, _) = list(None, None, 3, cursor).await;
    assert_eq!((rest.as_str(), total), ("tour-2 tour-0 welcome", Some(6)));
    assert_eq!(list(Some("OUR TOUR-3"), None, 10, None).await.0, "tour-3");
    assert_eq!(list(Some("%"), None, 10, None).await.0, "");
    assert_eq!(list(None, Some(TourStatus::Live), 10, None).await.0, "tour-1 welcome");
    assert_eq!(list(Some("tour"), Some(TourStatus::Draft), 10, None).await.1, Some(4));
    assert_eq!(list(None, Some(TourStatus::Archived), 10, None).await.1, Some(0));
    assert_eq!(list(None, Some(TourStatus::Stopped), 10, None).await.1, Some(0));
    let ended = resolve::MutationReleaseEnd::resolve(app, cx, &admin.lower(), release.id, false, None).await;
    ended.expect("ended");
    assert_eq!(list(None, Some(TourStatus::Stopped), 10, None).await.0, "tour-1");
    assert_eq!(list(Some("tour"), Some(TourStatus::Draft), 10, None).await.1, Some(4));
}

#[tokio::test]
async fn revisions_are_paginated_per_tour() {
    let test = TestApp::new().await;
    let (app, cx) = (&test.app, &anonymous());
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tours = [
        test.tour(&admin, "one", &["a"]).await,
        test.tour(&admin, "two", &["a"]).await,
    ];
    test.release(&admin, &tours[0], 2, &site).await;
    test.save(&admin, &tours[0], 3, &["b"]).await;
    test.release(&admin, &tours[0], 4, &site).await;
    let pages = async |after: Option<String>| {
        with_batch(&tours, async |tours| {
            let column = resolve::TourRevisions::resolve(app, cx, tours, 2, after)
                .await
                .expect("pages");
            let numbers = |at| {
                column
                    .get(at)
                    .map(|page| page.nodes.iter().map(|r| r.number).collect::<Vec<_>>())
            };
            let end = column.get(0).and_then(|page| page.end_cursor().map(str::to_owned));
            (numbers(0), numbers(1), end)
        })
        .await
    };
    let (one, two, cursor) = pages(None).await;
    assert_eq!((one, two), (Some(vec![3, 2]), Some(vec![1])));
    let (one, two, _) = pages(cursor).await;
    assert_eq!((one, two), (Some(vec![1]), Some(vec![1])));
}
