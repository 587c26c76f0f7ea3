//! Executes every document of `operations/` in one scenario.

mod common;
#[path = "operations/tour.rs"]
mod tour;
#[path = "operations/visitors.rs"]
mod visitors;
#[path = "operations/workspace.rs"]
mod workspace;

use common::{Server, person};
use serde_json::{Value, json};
use tour::{adjust_release, edit_tour, release, review, save};
use traitql::Ctx;
use visitors::{manage_visitors, visit};
use workspace::{create_access_token, create_segment, create_site, create_theme, create_workspace, invite};

/// A workspace with the administrator Ada and the author Bob.
struct Crew {
    server: Server,
    ada: Ctx,
    bob: Ctx,
    id: Value,
    bobs_membership: Value,
}

#[tokio::test]
async fn one_scenario_executes_every_document() {
    let crew = &create_workspace().await;
    invite(crew).await;
    create_access_token(crew).await;
    let site = &create_site(crew).await;
    let theme = &create_theme(crew).await;
    create_segment(crew, site).await;
    let (tour, draft, mut changes) = edit_tour(crew, theme).await;
    let (tour, draft) = (&tour, &draft);
    review(crew, draft, &mut changes, &save(tour, theme, 2, &["cart"])).await;
    let release = &release(crew, site, theme, tour).await;
    let release = &adjust_release(crew, site, tour, release).await;
    visit(crew, site, tour, release).await;
    manage_visitors(crew, site, tour).await;
    archive(crew, tour, release).await;

    assert_eq!(
        crew.server.unused_documents(),
        Vec::<String>::new(),
        "add the new documents of operations/ to this scenario"
    );
}

async fn archive(crew: &Crew, tour: &Value, release: &Value) {
    let Crew {
        server,
        ada,
        bob,
        id,
        bobs_membership,
    } = crew;
    let copy = json!({ "id": tour["id"], "title": "Your second order", "slug": "second-order" });
    let copied = server.query(bob, "TourDuplicate", copy.clone()).await["tourDuplicate"].clone();
    assert_eq!(
        (&copied["slug"], &copied["status"]),
        (&json!("second-order"), &json!("DRAFT"))
    );
    assert_eq!(server.error_code(bob, "TourDuplicate", copy).await, "SLUG_TAKEN");

    assert_eq!(
        server.error_code(ada, "TourArchive", json!({ "id": tour["id"] })).await,
        "TOUR_LIVE"
    );
    server.query(ada, "ReleaseEnd", json!({ "id": release["id"] })).await;
    server.query(ada, "TourArchive", json!({ "id": tour["id"] })).await;
    let tours = server
        .query(bob, "Tours", json!({ "workspaceId": id, "status": "ARCHIVED" }))
        .await;
    assert_eq!(tours["tours"]["totalCount"], 1);
    let choices = server
        .query(bob, "TourChoices", json!({ "workspaceId": id, "search": "second" }))
        .await;
    assert_eq!(choices["tours"]["nodes"][0]["slug"], "second-order");
    server.query(ada, "TourRestore", json!({ "id": tour["id"] })).await;
    server
        .query(ada, "MemberRemove", json!({ "id": bobs_membership["id"] }))
        .await;
    assert_eq!(
        server.error_code(bob, "Runs", json!({ "tourId": tour["id"] })).await,
        "NOT_FOUND"
    );
    let actors = server.query(ada, "AuditActors", json!({ "workspaceId": id })).await["auditActors"].clone();
    assert_eq!(actors[0]["name"], "ada");
    let log = server.query(ada, "Audit", json!({ "workspaceId": id })).await["audit"]["nodes"].clone();
    assert_eq!(
        (&log[0]["action"], &log[0]["by"]["name"]),
        (&json!("member.remove"), &json!("ada"))
    );
}

/// Content files have the API's format.
#[tokio::test]
async fn built_in_tours_satisfy_the_constraints_of_the_schema() {
    let server = Server::start().await;
    let ada = &person("ada");
    let crew = json!({ "input": { "name": "Crew", "slug": "crew" } });
    let workspace = server.query(ada, "WorkspaceCreate", crew).await["workspaceCreate"]["id"].clone();
    for file in [
        include_str!("../../domain/content/welcome.json"),
        include_str!("../../domain/content/sample.json"),
    ] {
        let tours: Vec<Value> = serde_json::from_str(file).expect("the file is JSON");
        for tour in tours {
            let slug = format!("{}-again", tour["slug"].as_str().expect("a slug"));
            let input = json!({ "input": { "workspaceId": workspace, "title": tour["title"], "slug": slug } });
            let id = server.query(ada, "TourCreate", input).await["tourCreate"]["id"].clone();
            let input = json!({ "id": id, "expectedVersion": 1, "steps": tour["steps"], "start": tour["start"],
                "locales": tour["locales"] });
            let draft = server.query(ada, "TourSave", json!({ "input": input })).await["tourSave"].clone();
            assert_eq!(draft["problems"], json!([]), "{slug}");
        }
    }
}
