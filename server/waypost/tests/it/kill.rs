//! `kill -9` in the middle of a stream of mutations: what was acknowledged is there after a restart.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use serde_json::{Value, json};

use crate::support::{Server, ask, provider, token};

const WRITERS: usize = 4;
/// The process dies when so many tours have been acknowledged.
const ENOUGH: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_kill_9() {
    survives(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_acknowledged_survives_kill_9_on_postgresql() {
    survives(&[("WAYPOST_DATABASE_URL", &waypost_testbed::database())]).await;
}

async fn survives(settings: &[(&str, &str)]) {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::on(&issuer, data.path(), settings).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = ask(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();

    let acknowledged = Arc::new(AtomicUsize::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (client, workspace, acknowledged) = (client.clone(), workspace.clone(), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                let mut mine = Vec::new();
                for number in 0.. {
                    let slug = format!("tour-{writer}-{number}");
                    let input = json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
                    match client.ask::<Value>("TourCreate", input).await {
                        Ok(answer) if answer.errors.is_empty() => mine.push(slug),
                        Ok(answer) => panic!("{slug} was refused: {:?}", answer.errors),
                        // The server is gone; this one was not acknowledged.
                        Err(_) => break,
                    }
                    acknowledged.fetch_add(1, SeqCst);
                }
                mine
            })
        })
        .collect();
    while acknowledged.load(SeqCst) < ENOUGH {
        assert!(
            !writers.iter().any(|writer| writer.is_finished()),
            "a writer gave up:\n{}",
            server.log()
        );
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    server.signal("KILL");
    server.ended().await;
    let mut expected = Vec::new();
    for writer in writers {
        expected.extend(writer.await.unwrap());
    }

    let server = Server::on(&issuer, data.path(), settings).await;
    let client = server.client(Some(ada));
    let mut found = Vec::new();
    let mut after = Value::Null;
    loop {
        let page = ask(
            &client,
            "Tours",
            json!({"workspaceId": workspace, "first": 100, "after": after}),
        )
        .await["tours"]
            .clone();
        found.extend(
            page["nodes"]
                .as_array()
                .unwrap()
                .iter()
                .map(|tour| tour["slug"].as_str().unwrap().to_owned()),
        );
        if page["pageInfo"]["hasNextPage"] == false {
            break;
        }
        after = page["pageInfo"]["endCursor"].clone();
    }
    let lost: Vec<_> = expected.iter().filter(|slug| !found.contains(slug)).collect();
    assert!(
        lost.is_empty(),
        "{} of {} acknowledged tours are gone: {lost:?}",
        lost.len(),
        expected.len()
    );
    // At most one tour per writer may have been written without its acknowledgement; the workspace's own tours come on top.
    let ours = found.iter().filter(|slug| slug.starts_with("tour-")).count();
    assert!(
        ours <= expected.len() + WRITERS,
        "{ours} tours for {} acknowledgements",
        expected.len()
    );
    let audit = ask(&client, "Audit", json!({"workspaceId": workspace, "first": 200})).await;
    let entries = audit["audit"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "tour.create")
        .count();
    assert!(
        entries >= ours,
        "every tour has its audit entry: {entries} entries for {ours} tours"
    );
}
