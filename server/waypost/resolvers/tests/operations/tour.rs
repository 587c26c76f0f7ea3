//! A tour: its draft, reviews and releases.

use futures_util::{StreamExt, stream::BoxStream};
use serde_json::{Value, json};

use super::Crew;

fn steps(keys: &[&str]) -> Value {
    let step = |key: &&str| json!({ "key": key, "title": format!("The {key}"), "target": { "value": key } });
    keys.iter().map(step).collect()
}

pub(crate) fn save(tour: &Value, theme: &Value, version: i32, keys: &[&str]) -> Value {
    json!({ "input": { "id": tour["id"], "expectedVersion": version, "steps": steps(keys), "themeId": theme["id"] } })
}

pub(crate) async fn edit_tour(crew: &Crew, theme: &Value) -> (Value, Value, BoxStream<'static, Value>) {
    let Crew {
        server, ada, bob, id, ..
    } = crew;
    let input =
        json!({ "input": { "workspaceId": id, "title": "First order", "slug": "first-order", "locale": "pt-BR" } });
    let tour = server.query(bob, "TourCreate", input).await["tourCreate"].clone();
    let mut changes = server.subscribe(ada, "TourChanged", json!({ "id": tour["id"] })).await;
    let rename = json!({ "id": tour["id"], "expectedVersion": 1, "title": "Your first order" });
    server.query(bob, "TourRename", rename).await;
    assert_eq!(
        changes.next().await.expect("an event")["tourChanged"]["title"],
        "Your first order"
    );
    let open = server.query(bob, "TourReportOpen", json!({ "id": tour["id"] })).await["tourReportOpen"].clone();
    assert_eq!(open["openBy"][0]["name"], "bob");
    let draft = server.query(bob, "TourSave", save(&tour, theme, 1, &["search"])).await["tourSave"].clone();
    assert_eq!((&draft["version"], &draft["problems"]), (&json!(2), &json!([])));
    assert_eq!(
        server
            .error_code(ada, "TourSave", save(&tour, theme, 1, &["cart"]))
            .await,
        "VERSION_CONFLICT"
    );
    let editor = server
        .query(ada, "TourEditor", json!({ "workspaceId": id, "slug": "first-order" }))
        .await;
    assert_eq!(editor["tourBySlug"]["draft"]["locales"], json!(["pt-BR"]));
    assert_eq!(editor["tourBySlug"]["draft"]["theme"]["name"], "Night");
    assert_eq!(editor["tourBySlug"]["draft"]["author"]["name"], "bob");
    (tour, draft, changes)
}

pub(crate) async fn review(crew: &Crew, draft: &Value, changes: &mut BoxStream<'static, Value>, edit: &Value) {
    let Crew {
        server, ada, bob, id, ..
    } = crew;
    let waits = json!({ "id": id, "expectedVersion": 2, "requireReview": true });
    let set = server.query(ada, "WorkspaceReviewSet", waits).await;
    assert_eq!(set["workspaceReviewSet"]["requireReview"], true);
    let members = server.query(ada, "Members", json!({ "slug": "crew" })).await["workspace"]["members"].clone();
    let members = members.as_array().expect("members");
    let reviewer = members
        .iter()
        .find(|member| member["account"]["name"] == "ada")
        .expect("ada")["account"]
        .clone();
    let submit = json!({ "id": draft["id"], "expectedVersion": 2, "note": "Ready?", "reviewerId": reviewer["id"] });
    let submitted = server.query(bob, "RevisionSubmit", submit.clone()).await["revisionSubmit"].clone();
    assert_eq!(
        (&submitted["state"], &submitted["reviews"][0]["reviewer"]["id"]),
        (&json!("IN_REVIEW"), &reviewer["id"])
    );
    assert_eq!(
        changes.next().await.expect("an event")["tourChanged"]["draft"]["state"],
        "IN_REVIEW"
    );
    assert_eq!(
        server.error_code(bob, "TourSave", edit.clone()).await,
        "REVISION_IN_REVIEW"
    );
    let mut reviews = server
        .subscribe(bob, "ReviewsChanged", json!({ "workspaceId": id }))
        .await;
    let waiting = reviews.next().await.expect("an event")["reviewsChanged"]["reviewsWaiting"].clone();
    assert_eq!(
        (&waiting[0]["by"]["name"], &waiting[0]["tour"]["slug"]),
        (&json!("bob"), &json!("first-order"))
    );
    let input = json!({ "input": { "revisionId": draft["id"], "stepKey": "search", "body": "Which search?" } });
    let comment = server.query(ada, "CommentAdd", input).await["commentAdd"].clone();
    let give_back = json!({ "id": draft["id"], "note": "One request." });
    server.query(ada, "RevisionReturn", give_back).await;
    let home = server.query(bob, "WorkspaceHome", json!({ "slug": "crew" })).await;
    assert_eq!(home["workspace"]["reviewsWaiting"], json!([]));
    let returned = server.query(bob, "ReviewsReturned", json!({ "workspaceId": id })).await;
    assert_eq!(returned["reviewsReturned"][0]["endedBy"]["name"], "ada");
    let content = server.query(bob, "RevisionContent", json!({ "id": draft["id"] })).await["revision"].clone();
    assert_eq!(
        (&content["openComments"], &content["reviews"][0]["answer"]),
        (&json!(1), &json!("One request."))
    );
    let reviewed = json!({ "id": content["reviews"][0]["id"] });
    let reviewed = server.query(bob, "ReviewContent", reviewed).await["review"]["content"].clone();
    assert_eq!(reviewed["steps"], content["steps"]);
    assert_eq!(reviewed["theme"]["name"], "Night");
    server
        .query(bob, "CommentResolve", json!({ "id": comment["id"] }))
        .await;
    let reopened = server.query(ada, "CommentReopen", json!({ "id": comment["id"] })).await;
    assert_eq!(reopened["commentReopen"]["resolvedAt"], Value::Null);
    let reply = json!({ "id": comment["id"], "body": "The one at the top." });
    let replied = server.query(bob, "CommentReply", reply).await["commentReply"]["replies"][0].clone();
    assert_eq!(
        (&replied["by"]["name"], &replied["body"]),
        (&json!("bob"), &json!("The one at the top."))
    );
    let left = server
        .query(ada, "CommentReplyDelete", json!({ "id": replied["id"] }))
        .await;
    assert_eq!(left["commentReplyDelete"]["replies"], json!([]));
    let delete = json!({ "id": comment["id"] });
    assert_eq!(
        server.error_code(bob, "CommentDelete", delete.clone()).await,
        "COMMENT_NOT_YOURS"
    );
    assert_eq!(
        server.query(ada, "CommentDelete", delete).await["commentDelete"],
        comment["id"]
    );
    server.query(bob, "RevisionSubmit", submit).await;
    server.query(bob, "RevisionReturn", json!({ "id": draft["id"] })).await;
    let revisions = server
        .query(
            bob,
            "TourRevisions",
            json!({ "workspaceId": id, "slug": "first-order" }),
        )
        .await["tourBySlug"]["revisions"]["nodes"]
        .clone();
    assert_eq!(revisions[0]["reviews"].as_array().map(Vec::len), Some(2));
    let free = json!({ "id": id, "expectedVersion": 3, "requireReview": false });
    server.query(ada, "WorkspaceReviewSet", free).await;
}

pub(crate) async fn release(crew: &Crew, site: &Value, theme: &Value, tour: &Value) -> Value {
    let Crew { server, ada, bob, .. } = crew;
    let release = |version: i32| json!({ "input": { "tourId": tour["id"], "expectedVersion": version, "siteIds": [site["id"]] } });
    assert_eq!(server.error_code(bob, "TourRelease", release(2)).await, "FORBIDDEN");
    let first = server.query(ada, "TourRelease", release(2)).await["tourRelease"][0].clone();
    assert_eq!(
        (&first["state"], &first["tour"]["status"]),
        (&json!("LIVE"), &json!("LIVE"))
    );
    server
        .query(ada, "TourSave", save(tour, theme, 3, &["search", "cart"]))
        .await;
    let second = server.query(ada, "TourRelease", release(4)).await["tourRelease"][0].clone();
    assert_eq!(second["revision"]["number"], 2);
    let back = server
        .query(ada, "ReleaseRollback", json!({ "id": second["id"] }))
        .await["releaseRollback"]
        .clone();
    assert_eq!(
        (&back["revision"]["number"], &back["rollbackOf"]["id"]),
        (&json!(1), &first["id"])
    );
    server.query(ada, "TourRelease", release(5)).await["tourRelease"][0].clone()
}

pub(crate) async fn adjust_release(crew: &Crew, site: &Value, tour: &Value, release: &Value) -> Value {
    let Crew {
        server, ada, bob, id, ..
    } = crew;
    let plan = json!({ "plan": { "tourId": tour["id"], "siteIds": [site["id"]], "revisionId": release["revision"]["id"], "rolloutPercent": 50 } });
    let impact = server.query(bob, "ReleaseImpact", plan).await["releaseImpact"][0].clone();
    assert_eq!(
        (
            &impact["live"]["id"],
            &impact["revision"]["number"],
            &impact["after"]["visitors"]
        ),
        (&release["id"], &json!(2), &json!(0))
    );
    let half = json!({ "input": { "id": release["id"], "rolloutPercent": 50 } });
    assert_eq!(server.error_code(bob, "ReleaseAdjust", half.clone()).await, "FORBIDDEN");
    let half = server.query(ada, "ReleaseAdjust", half).await["releaseAdjust"].clone();
    assert_eq!(
        (&half["rolloutPercent"], &half["revision"]["number"]),
        (&json!(50), &json!(2))
    );
    let paused = server
        .query(
            ada,
            "ReleasePause",
            json!({ "id": half["id"], "note": "a typing error" }),
        )
        .await["releasePause"]
        .clone();
    assert_eq!(
        (&paused["state"], &paused["tour"]["status"]),
        (&json!("PAUSED"), &json!("PAUSED"))
    );
    assert_eq!(
        (&paused["changes"][0]["by"]["name"], &paused["changes"][0]["note"]),
        (&json!("ada"), &json!("a typing error"))
    );
    server.query(ada, "ReleaseResume", json!({ "id": half["id"] })).await;
    let whole = json!({ "input": { "id": half["id"], "rolloutPercent": 100, "goal": "order_placed" } });
    let whole = server.query(ada, "ReleaseAdjust", whole).await["releaseAdjust"].clone();
    let releases = server
        .query(ada, "TourReleases", json!({ "workspaceId": id, "slug": "first-order" }))
        .await;
    assert_eq!(releases["tourBySlug"]["releases"].as_array().map(Vec::len), Some(6));
    assert_eq!(releases["tourBySlug"]["hasUnreleasedChanges"], false);
    whole
}
