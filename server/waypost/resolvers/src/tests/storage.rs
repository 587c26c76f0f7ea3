use std::collections::BTreeSet;

use traitql::{Id, Viewer};
use waypost_api::{TourCreateInput, TourOrder, resolve, role};
use waypost_domain::{
    audit::Entry,
    invitation,
    store::{Constraint, scalar, sql},
    tour, workspace,
};

use crate::testing::{TestApp, anonymous, code, save_input};

#[tokio::test]
async fn connections_flush_every_commit_and_check_foreign_keys() {
    let test = TestApp::over(None, |_| {}).await;
    let mut tx = test.app.store.save().await.expect("the writer");
    for (pragma, value) in [
        ("select synchronous from pragma_synchronous", 2),
        ("select foreign_keys from pragma_foreign_keys", 1),
    ] {
        let found: i64 = scalar(pragma).fetch_one(tx.conn()).await.expect("a pragma");
        assert_eq!(found, value, "{pragma}");
    }
    let mode: String = scalar("select journal_mode from pragma_journal_mode")
        .fetch_one(tx.conn())
        .await
        .expect("a pragma");
    assert_eq!(mode, "wal");
    let refused = sql("delete from accounts").execute(test.app.store.reader()).await;
    assert!(refused.is_err(), "the read pool rejects writes");
}

#[tokio::test]
async fn constraints_match_the_indexes_of_the_database() {
    const CONSTRAINTS: [&Constraint; 4] = [
        &tour::store::SLUG_KEY,
        &workspace::store::SLUG_KEY,
        &workspace::store::MEMBER_KEY,
        &invitation::store::PENDING_KEY,
    ];
    let test = TestApp::over(None, |_| {}).await;
    for constraint in CONSTRAINTS {
        let columns: Vec<String> = scalar(
            "select m.tbl_name || '.' || i.name as name from sqlite_schema m, pragma_index_info(m.name) i
             where m.type = 'index' and m.name = ? order by i.seqno",
        )
        .bind(constraint.name)
        .fetch_all(test.app.store.reader())
        .await
        .expect("a list of columns");
        assert_eq!(columns.join(", "), constraint.columns, "{}", constraint.name);
    }
}

async fn shape(test: &TestApp, columns: &'static str, indexes: &'static str) -> BTreeSet<String> {
    let reader = || test.app.store.reader();
    let columns: Vec<String> = scalar(columns).fetch_all(reader()).await.expect("the columns");
    let indexes: Vec<String> = scalar(indexes).fetch_all(reader()).await.expect("the indexes");
    columns.into_iter().chain(indexes).collect()
}

#[tokio::test]
async fn both_databases_have_the_same_tables() {
    let sqlite = shape(
        &TestApp::over(None, |_| {}).await,
        "select m.name || '.' || c.name || ' ' || lower(c.type) || iif(c.\"notnull\", ' not null', '')
         from sqlite_schema m join pragma_table_info(m.name) c
         where m.type = 'table' and m.name not in ('bits', '_sqlx_migrations') and m.name not like 'sqlite%'",
        "select name || ' ' || iif(sql like 'create unique%', 'unique', 'index') || iif(sql like '% where %', ' partial', '')
         from sqlite_schema where type = 'index' and name not like 'sqlite%'",
    )
    .await;
    let postgres = shape(
        &TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await,
        "select table_name || '.' || column_name || ' ' || case data_type when 'bigint' then 'integer'
           when 'bytea' then 'blob'
           when 'double precision' then 'real' else data_type end || case is_nullable when 'NO' then ' not null' else '' end
         from information_schema.columns
         where table_schema = current_schema() and table_name <> '_sqlx_migrations' and column_name <> 'rowid'
           and table_name not in (select viewname from pg_views)",
        "select indexname || ' ' || case when indexdef like 'CREATE UNIQUE%' then 'unique' else 'index' end
           || case when indexdef like '% WHERE %' then ' partial' else '' end
         from pg_indexes where schemaname = current_schema() and indexname not like '%_pkey'",
    )
    .await;
    let only =
        |ours: &BTreeSet<String>, theirs: &BTreeSet<String>| ours.difference(theirs).cloned().collect::<Vec<_>>();
    assert_eq!(
        only(&sqlite, &postgres),
        [""; 0],
        "only SQLite has these; add them in migrations-postgres/"
    );
    assert_eq!(
        only(&postgres, &sqlite),
        [""; 0],
        "only PostgreSQL has these; add them in migrations/"
    );
}

#[tokio::test]
async fn both_databases_report_a_taken_slug_in_the_same_way() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    let admin = test.workspace("team", "ada").await;
    test.tour(&admin, "first", &["a"]).await;
    let input = TourCreateInput::new(admin.scope().clone(), "Again".into(), "first".into());
    let again = resolve::MutationTourCreate::resolve(&test.app, &anonymous(), &admin.lower(), input).await;
    assert_eq!(code(again), "SLUG_TAKEN");
}

#[tokio::test]
async fn triggers_prevent_changes_of_frozen_revisions_and_audit_entries() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let site = test.site(&admin, "Shop").await;
    let tour = test.tour(&admin, "first", &["a"]).await;
    test.release(&admin, &tour, 2, &site).await;
    for statement in [
        "update revisions set steps = '[]' where state = 'FROZEN'",
        "update revisions set state = 'DRAFT', frozen_at = null where state = 'FROZEN'",
        "delete from revisions where state = 'FROZEN'",
        "update audit_entries set action = 'nothing'",
        "delete from audit_entries",
    ] {
        let mut tx = test.app.store.save().await.expect("the writer");
        let refused = sql(statement).execute(tx.conn()).await.expect_err(statement);
        assert!(refused.to_string().contains("never changes"), "{statement}: {refused}");
    }
}

#[tokio::test]
async fn a_dropped_write_is_rolled_back() {
    let test = TestApp::new().await;
    let account = test.account("ada").await;
    let mut tx = test.app.store.write("test", &account).await.expect("the writer");
    sql("update accounts set name = 'changed'")
        .execute(tx.conn())
        .await
        .expect("a change");
    drop(tx);
    let name: String = scalar("select name from accounts")
        .fetch_one(test.app.store.reader())
        .await
        .expect("the account");
    assert_eq!(name, "ada");
}

#[tokio::test]
async fn an_audited_write_without_its_entry_is_rolled_back() {
    let test = TestApp::new().await;
    let account = test.account("ada").await;
    let mut tx = test.app.store.write("test", &account).await.expect("the writer");
    sql("update accounts set name = 'changed'")
        .execute(tx.conn())
        .await
        .expect("a change");
    let nowhere = Entry::on(&"no workspace".into(), "subject");
    assert!(tx.commit(nowhere).await.is_err());
    let name: String = scalar("select name from accounts")
        .fetch_one(test.app.store.reader())
        .await
        .expect("the account");
    assert_eq!(name, "ada");
}

/// The others get a version conflict.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn of_concurrent_saves_with_the_same_version_one_succeeds() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    let ada = test.workspace("team", "ada").await;
    let bob: Viewer<role::Author> = Viewer::for_test(test.account("bob").await, ada.scope.clone());
    let tour = test.tour(&ada, "first", &["a"]).await;
    let other = test.another().await;
    for version in 2..12 {
        let save = |_: &Id| save_input(tour.id.as_str(), version);
        let (cx, ada) = (anonymous(), ada.lower());
        let (first, second) = tokio::join!(
            resolve::MutationTourSave::resolve(&test.app, &cx, &ada, save(&tour.id)),
            resolve::MutationTourSave::resolve(&other, &cx, &bob, save(&tour.id)),
        );
        let winner = if first.is_ok() { "ada" } else { "bob" };
        let loser = if first.is_ok() { second } else { first };
        let error = loser.expect_err("only one of them saved").into_error();
        assert_eq!(error.code, "VERSION_CONFLICT");
        assert_eq!(error.slots["person"], winner);
    }
}

#[tokio::test]
async fn an_invalid_cursor_is_rejected() {
    let test = TestApp::new().await;
    let admin = test.workspace("team", "ada").await;
    let workspace = admin.scope().clone();
    let garbage = Some("garbage".to_owned());
    let cx = anonymous();
    let app = &test.app;
    let tours = resolve::QueryTours::resolve(
        app,
        &cx,
        &admin.lower(),
        workspace.clone(),
        None,
        None,
        None,
        None,
        true,
        TourOrder::Changed,
        false,
        5,
        garbage.clone(),
    )
    .await;
    assert_eq!(code(tours), "INVALID_INPUT");
    let audit = resolve::QueryAudit::resolve(app, &cx, &admin, workspace, None, 5, garbage).await;
    assert_eq!(code(audit), "INVALID_INPUT");
}
