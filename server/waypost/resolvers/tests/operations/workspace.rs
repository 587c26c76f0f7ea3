//! A workspace: members, access tokens, sites, themes and segments.

use futures_util::StreamExt;
use serde_json::{Value, json};

use super::Crew;
use super::common::{SHOP, Server, page, person};

pub(crate) async fn create_workspace() -> Crew {
    let server = Server::start().await;
    let (ada, bob) = (&person("ada"), &person("bob"));

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
    let old = json!({ "input": { "name": "Old crew", "slug": "old" } });
    let old = server.query(ada, "WorkspaceCreate", old).await["workspaceCreate"]["id"].clone();
    let days = |retention: &Value| ["visitorDays", "runDays", "auditDays"].map(|days| retention[days].clone());
    let by_slug = json!({ "slug": "old" });
    let current = server.query(ada, "WorkspaceRetention", by_slug).await["workspace"]["retention"].clone();
    assert_eq!(days(&current), [400, 400, 1095], "the defaults of the input");
    let retention = json!({ "visitorDays": 100 });
    let preview = json!({ "workspaceId": old, "input": retention });
    let preview = server.query(ada, "RetentionPreview", preview).await["retentionPreview"].clone();
    assert_eq!(
        [&preview["visitors"], &preview["runs"], &preview["auditEntries"]],
        [0, 0, 0]
    );
    let set = json!({ "id": old, "expectedVersion": 1, "input": retention });
    let set = server.query(ada, "WorkspaceRetentionSet", set).await["workspaceRetentionSet"].clone();
    assert_eq!(days(&set["retention"]), [100, 400, 1095]);
    let delete = |name: &str| json!({ "id": old, "name": name });
    assert_eq!(
        server.error_code(ada, "WorkspaceDelete", delete("The crew")).await,
        "WORKSPACE_NAME_DIFFERS"
    );
    assert_eq!(
        server.error_code(bob, "WorkspaceDelete", delete("Old crew")).await,
        "NOT_FOUND"
    );
    let deleted = server.query(ada, "WorkspaceDelete", delete("Old crew")).await;
    assert_eq!(deleted["workspaceDelete"], old);
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
    Crew {
        ada: person("ada"),
        bob: person("bob"),
        id: id.clone(),
        bobs_membership: member,
        server,
    }
}

pub(crate) async fn invite(crew: &Crew) {
    let Crew { server, ada, id, .. } = crew;
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
}

pub(crate) async fn create_access_token(crew: &Crew) {
    let Crew { server, ada, id, .. } = crew;
    let input = json!({ "input": { "workspaceId": id, "name": "CI", "role": "PUBLISHER" } });
    let created = server.query(ada, "AccessTokenCreate", input).await["accessTokenCreate"].clone();
    let tokens = server.query(ada, "AccessTokens", json!({ "workspaceId": id })).await["accessTokens"].clone();
    assert_eq!(tokens, json!([created["accessToken"]]));
    let revoke = json!({ "id": created["accessToken"]["id"] });
    let revoked = server.query(ada, "AccessTokenRevoke", revoke).await["accessTokenRevoke"].clone();
    assert_eq!(revoked, created["accessToken"]);
}

pub(crate) async fn create_site(crew: &Crew) -> Value {
    let Crew { server, ada, id, .. } = crew;
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
    site
}

pub(crate) async fn create_theme(crew: &Crew) -> Value {
    let Crew { server, ada, id, .. } = crew;
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
    theme
}

pub(crate) async fn create_segment(crew: &Crew, site: &Value) {
    let Crew { server, ada, id, .. } = crew;
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
    let refused = server
        .query(ada, "SiteRefusedOrigins", json!({ "id": site["id"] }))
        .await;
    assert_eq!(refused["site"]["refusedOrigins"], json!([]));
    server.query(ada, "SegmentDelete", json!({ "id": segment["id"] })).await;
}
