//! Acknowledged mutations survive `kill -9`.

use std::sync::{
    Arc,
    atomic::{AtomicUsize, Ordering::SeqCst},
};

use serde_json::{Value, json};

use crate::support::{Server, provider, run_operation, token};

const WRITERS: usize = 4;

const TOURS_BEFORE_KILL: usize = 40;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_mutations_survive_kill_9() {
    survives(&[]).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn acknowledged_mutations_survive_kill_9_on_postgresql() {
    survives(&[("WAYPOST_DATABASE_URL", &waypost_testkit::create_database())]).await;
}

async fn survives(settings: &[(&str, &str)]) {
    let issuer = provider().await;
    let data = tempfile::tempdir().unwrap();
    let mut server = Server::on(&issuer, data.path(), settings).await;
    let ada = token(&issuer, "ada");
    let client = server.client(Some(ada.clone()));
    let input = json!({"input": {"name": "Crew", "slug": "crew"}});
    let workspace = run_operation(&client, "WorkspaceCreate", input).await["workspaceCreate"]["id"].clone();

    let acknowledged = Arc::new(AtomicUsize::new(0));
    let writers: Vec<_> = (0..WRITERS)
        .map(|writer| {
            let (client, workspace, acknowledged) = (client.clone(), workspace.clone(), Arc::clone(&acknowledged));
            tokio::spawn(async move {
                let mut slugs = Vec::new();
                for number in 0.. {
                    let slug = format!("tour-{writer}-{number}");
                    let input = json!({"input": {"workspaceId": workspace, "title": slug, "slug": slug}});
                    match client.run_by_name::<Value>("TourCreate", input).await {
                        Ok(response) if response.errors.is_empty() => slugs.push(slug),
                        Ok(response) => panic!("{slug} was rejected: {:?}", response.errors),
                        // Killed before the acknowledgement.
                        Err(_) => break,
                    }
                    acknowledged.fetch_add(1, SeqCst);
                }
                slugs
            })
        })
        .collect();
    while acknowledged.load(SeqCst) < TOURS_BEFORE_KILL {
        assert!(
            !writers.iter().any(|writer| writer.is_finished()),
            "a writer stopped early:\n{}",
            server.log()
        );
        tokio::time::sleep(std::time::Duration::from_millis(5)).await;
    }
    server.signal("KILL");
    server.exited().await;
    let mut expected = Vec::new();
    for writer in writers {
        expected.extend(writer.await.unwrap());
    }

    let server = Server::on(&issuer, data.path(), settings).await;
    let client = server.client(Some(ada));
    let mut found = Vec::new();
    let mut after = Value::Null;
    loop {
        let page = run_operation(
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
        "{} of {} acknowledged tours are lost: {lost:?}",
        lost.len(),
        expected.len()
    );
    // One more per writer is possible. The sample tour is excluded.
    let saved = found.iter().filter(|slug| slug.starts_with("tour-")).count();
    assert!(
        saved <= expected.len() + WRITERS,
        "{saved} tours for {} acknowledgements",
        expected.len()
    );
    let audit = run_operation(&client, "Audit", json!({"workspaceId": workspace, "first": 200})).await;
    let entries = audit["audit"]["nodes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|entry| entry["action"] == "tour.create")
        .count();
    assert!(
        entries >= saved,
        "some tours have no audit entry: {entries} entries for {saved} tours"
    );
}
