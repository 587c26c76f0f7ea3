mod common;

use common::{SHOP, Server, page, person};
use futures_util::StreamExt;
use serde_json::{Value, json};

fn run_events(run: &str, release: &Value) -> Value {
    let now = traitql::DateTime::now().to_string();
    let event = |seq: i32, kind: &str, step: Value| json!({ "runId": run, "releaseId": release, "seq": seq, "kind": kind, "stepKey": step, "at": now, "activeMs": seq * 900 });
    json!([
        event(0, "RUN_STARTED", json!("search")),
        event(1, "STEP_SEEN", json!("search")),
        event(2, "STEP_DONE", json!("search")),
        event(3, "STEP_SEEN", json!("cart")),
        event(4, "STEP_DONE", json!("cart")),
        event(5, "RUN_COMPLETED", Value::Null),
    ])
}

fn steps(keys: &[&str]) -> Value {
    let step = |key: &&str| json!({ "key": key, "title": format!("The {key}"), "target": { "value": key } });
    keys.iter().map(step).collect()
}

#[tokio::test]
async fn one_scenario_executes_every_document() {
    let server = Server::start().await;
    let (ada, bob, shop) = (&person("ada"), &person("bob"), &page());

    assert_eq!(
        server.query(&page(), "Instance", json!({})).await["instance"]["ownSiteKey"],
        Value::Null
    );
    let viewer = server.query(ada, "Viewer", json!({})).await;
    assert_eq!(viewer["viewer"]["memberships"], json!([]));
    let input = json!({ "input": { "name": "Crew", "slug": "crew" } });
    let workspace = server.query(ada, "WorkspaceCreate", input).await["workspaceCreate"].clone();
    assert_eq!(workspace["myRole"], "ADMIN");
    let id = &workspace["id"];
    let rename = json!({ "id": id, "expectedVersion": 1, "name": "The crew" });
    assert_eq!(
        server.query(ada, "WorkspaceRename", rename).await["workspaceRename"]["version"],
        2
    );
    assert_eq!(
        server
            .error_code(ada, "WorkspaceSampleRemove", json!({ "id": id }))
            .await,
        "NOT_FOUND"
    );
    let home = server.query(ada, "WorkspaceHome", json!({ "slug": "crew" })).await;
    assert_eq!(home["workspace"]["sites"][0]["own"], true);
    assert_eq!(home["workspace"]["themes"][0]["isDefault"], true);

    assert_eq!(
        server.error_code(bob, "WorkspaceHome", json!({ "slug": "crew" })).await,
        "NOT_FOUND"
    );
    server.query(bob, "Viewer", json!({})).await;
    let member = server.join(ada, id, "bob", "VIEWER").await;
    assert_eq!(
        server.error_code(bob, "Members", json!({ "slug": "nowhere" })).await,
        "NOT_FOUND"
    );
    let create = json!({ "input": { "workspaceId": id, "title": "Ours", "slug": "ours" } });
    assert_eq!(server.error_code(bob, "TourCreate", create).await, "FORBIDDEN");
    let set = json!({ "id": member["id"], "role": "AUTHOR" });
    assert_eq!(
        server.query(ada, "MemberRoleSet", set).await["memberRoleSet"]["role"],
        "AUTHOR"
    );
    let members = server.query(ada, "Members", json!({ "slug": "crew" })).await;
    assert_eq!(members["workspace"]["members"].as_array().map(Vec::len), Some(2));

    // A third account accepts an invitation and leaves. The used link does not work again.
    let invite = |email: &str| json!({ "input": { "workspaceId": id, "email": email, "role": "VIEWER" } });
    let link = server.query(ada, "InvitationCreate", invite("cleo@example.com")).await["invitationCreate"].clone();
    let open = server.query(ada, "Invitations", json!({ "workspaceId": id })).await["invitations"].clone();
    assert_eq!(
        (&open[0]["email"], &open[0]["state"], &open[0]["by"]["name"]),
        (&json!("cleo@example.com"), &json!("PENDING"), &json!("ada"))
    );
    let renew = json!({ "id": link["invitation"]["id"] });
    let token = server.query(ada, "InvitationRenew", renew).await["invitationRenew"]["token"].clone();
    let cleo = &person("cleo");
    let offer = server.query(cleo, "InvitationOffer", json!({ "token": token })).await["invitationOffer"].clone();
    assert_eq!(
        (&offer["workspaceName"], &offer["role"], &offer["isMember"]),
        (&json!("The crew"), &json!("VIEWER"), &json!(false))
    );
    let old = json!({ "token": link["token"] });
    assert_eq!(
        server.error_code(cleo, "InvitationOffer", old).await,
        "INVITATION_UNKNOWN"
    );
    let accepted = server.query(cleo, "InvitationAccept", json!({ "token": token })).await;
    assert_eq!(accepted["invitationAccept"]["workspace"]["slug"], "crew");
    server.query(cleo, "MemberLeave", json!({ "workspaceId": id })).await;
    assert_eq!(
        server
            .error_code(cleo, "InvitationAccept", json!({ "token": token }))
            .await,
        "INVITATION_USED"
    );
    let link = server.query(ada, "InvitationCreate", invite("dora@example.com")).await["invitationCreate"].clone();
    let revoke = json!({ "id": link["invitation"]["id"] });
    let revoked = server.query(ada, "InvitationRevoke", revoke).await;
    assert_eq!(revoked["invitationRevoke"]["state"], "REVOKED");

    let input = json!({ "input": { "workspaceId": id, "name": "CI", "role": "PUBLISHER" } });
    let created = server.query(ada, "AccessTokenCreate", input).await["accessTokenCreate"].clone();
    let tokens = server.query(ada, "AccessTokens", json!({ "workspaceId": id })).await["accessTokens"].clone();
    assert_eq!(tokens, json!([created["accessToken"]]));
    let revoke = json!({ "id": created["accessToken"]["id"] });
    let revoked = server.query(ada, "AccessTokenRevoke", revoke).await["accessTokenRevoke"].clone();
    assert_eq!(revoked, created["accessToken"]);

    let input = json!({ "input": { "workspaceId": id, "name": "Shop", "origins": [SHOP] } });
    let site = server.query(ada, "SiteCreate", input).await["siteCreate"].clone();
    let mut site_changes = server.subscribe(ada, "SiteChanged", json!({ "id": site["id"] })).await;
    let input = json!({ "input": { "id": site["id"], "expectedVersion": 1, "name": "The shop" } });
    server.query(ada, "SiteUpdate", input).await;
    assert_eq!(
        site_changes.next().await.expect("an event")["siteChanged"]["name"],
        "The shop"
    );
    let keys = server
        .query(ada, "IdentityKeyCreate", json!({ "siteId": site["id"] }))
        .await["identityKeyCreate"]
        .clone();
    assert!(
        keys["secret"]
            .as_str()
            .is_some_and(|secret| secret.starts_with("wp_sec_"))
    );
    let identity = server.query(ada, "SiteIdentity", json!({ "id": site["id"] })).await["site"].clone();
    assert_eq!(identity, keys["site"]);
    assert_eq!(identity["identityKeys"][0]["algorithm"], "HS256");
    assert_eq!(identity["identityCoverage"]["identified"], 0);
    let revoke = json!({ "siteId": site["id"], "id": identity["identityKeys"][0]["id"] });
    let revoked = server.query(ada, "IdentityKeyRevoke", revoke).await["identityKeyRevoke"].clone();
    assert_eq!(revoked["identityKeys"], json!([]));
    let site = server.query(ada, "SiteKeyRotate", json!({ "id": site["id"] })).await["siteKeyRotate"].clone();
    let sites = server.query(ada, "Sites", json!({ "slug": "crew" })).await;
    assert_eq!(sites["workspace"]["sites"].as_array().map(Vec::len), Some(2));
    let night = json!({ "workspaceId": id, "input": { "name": "Night" } });
    let theme = server.query(ada, "ThemeCreate", night).await["themeCreate"].clone();
    assert_eq!(theme["overlayOpacity"], 0.7);
    let darker =
        json!({ "id": theme["id"], "expectedVersion": 1, "input": { "name": "Night", "overlayOpacity": 0.9 } });
    server.query(ada, "ThemeUpdate", darker).await;
    server.query(ada, "ThemeDefaultSet", json!({ "id": theme["id"] })).await;
    let themes = server.query(ada, "Themes", json!({ "slug": "crew" })).await["workspace"]["themes"].clone();
    assert_eq!(themes[0]["name"], "Night");
    server.query(ada, "ThemeDelete", json!({ "id": themes[1]["id"] })).await;

    let pro = json!({ "trait": { "key": "plan", "value": "pro" } });
    let input = json!({ "workspaceId": id, "input": { "name": "Pro", "when": pro } });
    let segment = server.query(ada, "SegmentCreate", input).await["segmentCreate"].clone();
    assert_eq!(segment["when"]["trait"]["is"], "IS");
    let input = json!({ "name": "Pro customers", "when": { "all": [pro, { "verified": true }] } });
    let update = json!({ "id": segment["id"], "expectedVersion": 1, "input": input });
    server.query(ada, "SegmentUpdate", update).await;
    let segments = server.query(ada, "Segments", json!({ "slug": "crew" })).await["workspace"]["segments"].clone();
    assert_eq!(
        (&segments[0]["name"], &segments[0]["tours"]),
        (&json!("Pro customers"), &json!([]))
    );
    let count = json!({ "siteId": site["id"], "when": { "segment": segment["id"] } });
    let count = server.query(ada, "VisitorMatches", count).await["visitorMatches"].clone();
    assert_eq!((&count["matching"], &count["visitors"]), (&json!(0), &json!(0)));
    let traits = server.query(ada, "SiteTraits", json!({ "id": site["id"] })).await;
    assert_eq!(traits["site"]["traits"], json!([]));
    server.query(ada, "SegmentDelete", json!({ "id": segment["id"] })).await;

    let input =
        json!({ "input": { "workspaceId": id, "title": "First order", "slug": "first-order", "locale": "pt-BR" } });
    let tour = server.query(bob, "TourCreate", input).await["tourCreate"].clone();
    let mut changed = server.subscribe(ada, "TourChanged", json!({ "id": tour["id"] })).await;
    let rename = json!({ "id": tour["id"], "expectedVersion": 1, "title": "Your first order" });
    server.query(bob, "TourRename", rename).await;
    assert_eq!(
        changed.next().await.expect("an event")["tourChanged"]["title"],
        "Your first order"
    );
    let open = server.query(bob, "TourReportOpen", json!({ "id": tour["id"] })).await["tourReportOpen"].clone();
    assert_eq!(open["openBy"][0]["name"], "bob");
    let save = |version: i32, keys: &[&str]| json!({ "input": { "id": tour["id"], "expectedVersion": version, "steps": steps(keys), "themeId": theme["id"] } });
    let draft = server.query(bob, "TourSave", save(1, &["search"])).await["tourSave"].clone();
    assert_eq!((&draft["version"], &draft["problems"]), (&json!(2), &json!([])));
    assert_eq!(
        server.error_code(ada, "TourSave", save(1, &["cart"])).await,
        "VERSION_CONFLICT"
    );
    let editor = server
        .query(ada, "TourEditor", json!({ "workspaceId": id, "slug": "first-order" }))
        .await;
    assert_eq!(editor["tourBySlug"]["draft"]["locales"], json!(["pt-BR"]));
    assert_eq!(editor["tourBySlug"]["draft"]["theme"]["name"], "Night");
    assert_eq!(editor["tourBySlug"]["draft"]["author"]["name"], "bob");

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
        changed.next().await.expect("an event")["tourChanged"]["draft"]["state"],
        "IN_REVIEW"
    );
    assert_eq!(
        server.error_code(bob, "TourSave", save(2, &["cart"])).await,
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
    let say = json!({ "input": { "revisionId": draft["id"], "stepKey": "search", "body": "Which search?" } });
    let comment = server.query(ada, "CommentAdd", say).await["commentAdd"].clone();
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

    let release = |version: i32| json!({ "input": { "tourId": tour["id"], "expectedVersion": version, "siteIds": [site["id"]] } });
    assert_eq!(server.error_code(bob, "TourRelease", release(2)).await, "FORBIDDEN");
    let first = server.query(ada, "TourRelease", release(2)).await["tourRelease"][0].clone();
    assert_eq!(
        (&first["state"], &first["tour"]["status"]),
        (&json!("LIVE"), &json!("LIVE"))
    );
    server.query(ada, "TourSave", save(3, &["search", "cart"])).await;
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
    let again = server.query(ada, "TourRelease", release(5)).await["tourRelease"][0].clone();

    let plan = json!({ "plan": { "tourId": tour["id"], "siteIds": [site["id"]], "revisionId": again["revision"]["id"], "rolloutPercent": 50 } });
    let impact = server.query(bob, "ReleaseImpact", plan).await["releaseImpact"][0].clone();
    assert_eq!(
        (
            &impact["live"]["id"],
            &impact["revision"]["number"],
            &impact["after"]["visitors"]
        ),
        (&again["id"], &json!(2), &json!(0))
    );
    let half = json!({ "input": { "id": again["id"], "rolloutPercent": 50 } });
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
    let again = server.query(ada, "ReleaseAdjust", whole).await["releaseAdjust"].clone();
    let releases = server
        .query(ada, "TourReleases", json!({ "workspaceId": id, "slug": "first-order" }))
        .await;
    assert_eq!(releases["tourBySlug"]["releases"].as_array().map(Vec::len), Some(6));
    assert_eq!(releases["tourBySlug"]["hasUnreleasedChanges"], false);

    let visitor = json!({ "anonymousId": "browser-1" });
    let boot = json!({ "siteKey": site["key"], "visitor": visitor, "url": format!("{SHOP}/cart") });
    let offered = server.query(shop, "Boot", boot.clone()).await["boot"]["tours"].clone();
    assert_eq!(
        (&offered[0]["releaseId"], &offered[0]["theme"]["name"]),
        (&again["id"], &json!("Night"))
    );
    let embedded = server.query(shop, "EmbedBoot", boot.clone()).await["boot"]["tours"].clone();
    assert!(
        embedded[0]["bundle"]
            .as_str()
            .is_some_and(|path| path.starts_with("/t/")),
        "{embedded}"
    );
    let goal = json!({ "event": "order_placed", "at": traitql::DateTime::now().to_string() });
    let goals = json!({ "siteKey": site["key"], "visitor": visitor, "goals": [goal] });
    assert_eq!(server.query(shop, "GoalRecord", goals).await["goalRecord"], 1);
    let site_events = server.query(bob, "SiteEvents", json!({ "slug": "crew" })).await["workspace"]["sites"].clone();
    let site_events: Vec<&Value> = site_events
        .as_array()
        .expect("sites")
        .iter()
        .map(|site| &site["events"])
        .collect();
    assert_eq!(
        (&site_events[0][0]["name"], site_events[1]),
        (&json!("order_placed"), &json!([]))
    );
    let lift = server.query(bob, "TourLift", json!({ "tourId": tour["id"] })).await["tourLift"][0].clone();
    assert_eq!(
        (
            &lift["release"]["goal"],
            &lift["offered"]["visitors"],
            &lift["offered"]["reached"],
            &lift["lift"]
        ),
        (&json!("order_placed"), &json!(1), &json!(1), &Value::Null)
    );
    let run = uuid::Uuid::now_v7().to_string();
    let report = json!({ "siteKey": site["key"], "visitor": visitor, "events": run_events(&run, &again["id"]) });
    for _ in 0..2 {
        let ack = server.query(shop, "Record", report.clone()).await;
        assert_eq!(
            ack["record"],
            json!({ "accepted": 6, "rejected": [], "__typename": "Ack" })
        );
    }
    assert_eq!(
        server.query(shop, "Boot", boot.clone()).await["boot"]["tours"],
        json!([])
    );
    let runs = server.query(bob, "Runs", json!({ "tourId": tour["id"] })).await;
    assert_eq!(runs["runs"]["nodes"][0]["state"], "COMPLETED");
    let today = traitql::Date::of(traitql::DateTime::now()).to_string();
    let range = json!({ "tourId": tour["id"], "range": { "from": today, "to": today } });
    let insights = server.query(bob, "TourInsights", range).await["tourInsights"].clone();
    assert_eq!((&insights["started"], &insights["completed"]), (&json!(1), &json!(1)));
    assert_eq!(insights["steps"][1]["stepKey"], "cart");
    let filter = json!({ "tourId": tour["id"], "range": { "from": today, "to": today } });
    assert_eq!(server.query(bob, "TourVisitors", filter).await["tourVisitors"], 1);

    let filter = json!({ "siteId": site["id"], "search": "browser-1" });
    let found = server.query(bob, "Visitors", filter.clone()).await["visitors"]["nodes"][0].clone();
    let visitor = json!({ "id": found["id"] });
    let mut watched = server.subscribe(bob, "VisitorChanged", visitor.clone()).await;
    let tester = json!({ "id": found["id"], "tester": true });
    server.query(bob, "VisitorTesterSet", tester.clone()).await;
    assert_eq!(
        watched.next().await.expect("an event")["visitorChanged"]["tester"]["name"],
        "bob"
    );
    let timeline = server.query(ada, "VisitorTimeline", visitor.clone()).await["visitor"].clone();
    assert_eq!(timeline["runs"]["nodes"][0]["events"].as_array().map(Vec::len), Some(6));
    assert_eq!(timeline["browsers"].as_array().map(Vec::len), Some(1));
    assert_eq!(timeline["lastPage"], format!("{SHOP}/cart"));
    assert_eq!(
        server.error_code(ada, "VisitorReset", visitor.clone()).await,
        "NOT_YOUR_TEST_USER"
    );
    server.query(bob, "VisitorReset", visitor.clone()).await;
    let offered = server.query(shop, "Boot", boot.clone()).await["boot"]["tours"].clone();
    assert_eq!(offered.as_array().map(Vec::len), Some(1));
    let request = json!({ "visitorId": found["id"], "tourId": tour["id"], "url": format!("{SHOP}/cart") });
    let explanation = server.query(bob, "Explain", request).await["explain"].clone();
    assert_eq!(
        (&explanation["wouldPlay"], &explanation["checks"][0]["check"]),
        (&json!(true), &json!("ORIGIN"))
    );
    assert_eq!(
        server.error_code(bob, "VisitorErase", visitor.clone()).await,
        "FORBIDDEN"
    );
    let invented = json!({ "siteId": site["id"], "filter": { "firstSeenFrom": "2020-01-01T00:00:00Z", "firstSeenUntil": "2020-01-02T00:00:00Z" } });
    let none = server.query(ada, "VisitorCount", invented.clone()).await["visitorCount"].clone();
    assert_eq!(
        server.query(ada, "VisitorsErase", invented).await["visitorsErase"],
        none
    );
    server.query(ada, "VisitorErase", visitor.clone()).await;
    assert_eq!(server.error_code(ada, "VisitorErase", visitor).await, "NOT_FOUND");
    assert_eq!(
        server.query(bob, "Visitors", filter).await["visitors"]["nodes"],
        json!([])
    );

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
    server.query(ada, "ReleaseEnd", json!({ "id": again["id"] })).await;
    server.query(ada, "TourArchive", json!({ "id": tour["id"] })).await;
    let tours = server
        .query(bob, "Tours", json!({ "workspaceId": id, "status": "ARCHIVED" }))
        .await;
    assert_eq!(tours["tours"]["totalCount"], 1);
    server.query(ada, "TourRestore", json!({ "id": tour["id"] })).await;
    server.query(ada, "MemberRemove", json!({ "id": member["id"] })).await;
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

    assert_eq!(
        server.unused_documents(),
        Vec::<String>::new(),
        "add the new documents of operations/ to this scenario"
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
            let input = json!({ "id": id, "expectedVersion": 1, "steps": tour["steps"], "start": tour["start"] });
            let draft = server.query(ada, "TourSave", json!({ "input": input })).await["tourSave"].clone();
            assert_eq!(draft["problems"], json!([]), "{slug}");
        }
    }
}
