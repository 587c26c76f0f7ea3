//! A PostgreSQL server fails, and its standby takes over.

use std::{
    net::SocketAddr,
    path::PathBuf,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering::SeqCst},
    },
};

use tokio::{
    net::{TcpListener, UnixStream},
    sync::watch,
    task::JoinHandle,
};
use traitql::{Id, SignedIn, Viewer};
use waypost_api::{WorkspaceCreateInput, resolve};
use waypost_domain::store::scalar;
use waypost_testkit::Cluster;

use crate::testing::{TestApp, anonymous, code};

/// Forwards connections to the server whose folder is its target. Without one, and after each change, it closes them.
struct Proxy {
    address: SocketAddr,
    target: watch::Sender<Option<PathBuf>>,
    task: JoinHandle<()>,
}

impl Proxy {
    async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let (target, targets) = watch::channel(None::<PathBuf>);
        let task = tokio::spawn(async move {
            loop {
                let (mut client, _) = listener.accept().await.expect("a connection");
                let mut targets = targets.clone();
                tokio::spawn(async move {
                    let Some(folder) = targets.borrow_and_update().clone() else {
                        return;
                    };
                    let Ok(mut server) = UnixStream::connect(folder.join(".s.PGSQL.5432")).await else {
                        return;
                    };
                    tokio::select! {
                        _ = tokio::io::copy_bidirectional(&mut client, &mut server) => {}
                        _ = targets.changed() => {}
                    }
                });
            }
        });
        Self { address, target, task }
    }
}

impl Drop for Proxy {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn create(test: &TestApp, account: &Id, slug: &str) -> &'static str {
    let viewer = Viewer::<SignedIn>::for_test(account.clone(), None);
    let input = WorkspaceCreateInput::new(slug.into(), slug.into());
    code(resolve::MutationWorkspaceCreate::resolve(&test.app, &anonymous(), &viewer, input).await)
}

async fn slugs(test: &TestApp) -> Result<Vec<String>, traitql::Internal> {
    Ok(scalar("select slug from workspaces")
        .fetch_all(test.app.store.reader())
        .await?)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_failover_to_a_standby_loses_nothing_and_is_an_outage() {
    const BEFORE: usize = 10;
    let mut cluster = Cluster::start();
    let proxy = Proxy::start().await;
    proxy.target.send_replace(Some(cluster.folder().to_owned()));
    let url = cluster.url(&proxy.address.to_string());
    let test = Arc::new(TestApp::over(Some(url), |_| {}).await);
    let account = test.account("ada").await;
    let count = Arc::new(AtomicUsize::new(0));
    let writer = tokio::spawn({
        let (test, count, account) = (Arc::clone(&test), Arc::clone(&count), account.clone());
        async move {
            let (mut stored, mut outages) = (Vec::new(), 0);
            // Each write is repeated until it succeeds, by the first or by a later attempt.
            while stored.len() < 2 * BEFORE {
                let slug = format!("team-{}", stored.len());
                match create(&test, &account, &slug).await {
                    "no error" | "WORKSPACE_SLUG_TAKEN" => {
                        stored.push(slug);
                        count.fetch_add(1, SeqCst);
                    }
                    "UNAVAILABLE" => outages += 1,
                    other => panic!("a write failed with {other}"),
                }
                tokio::task::yield_now().await;
            }
            (stored, outages)
        }
    });
    let reader = tokio::spawn({
        let (test, count) = (Arc::clone(&test), Arc::clone(&count));
        async move {
            while count.load(SeqCst) < 2 * BEFORE {
                if let Err(error) = slugs(&test).await {
                    assert!(error.is_outage(), "a read failed with {error:?}");
                }
                tokio::task::yield_now().await;
            }
        }
    });
    while count.load(SeqCst) < BEFORE {
        tokio::task::yield_now().await;
    }
    // New connections are cut in their handshake.
    proxy.target.send_replace(None);
    cluster = tokio::task::spawn_blocking(move || {
        cluster.fail_over();
        cluster
    })
    .await
    .expect("a failover");
    proxy.target.send_replace(Some(cluster.folder().to_owned()));
    let (stored, outages) = writer.await.expect("all writes");
    reader.await.expect("all reads");
    assert!(outages > 0, "no write noticed the failover");
    let found = slugs(&test).await.expect("the workspaces");
    let lost: Vec<_> = stored.iter().filter(|slug| !found.contains(slug)).collect();
    assert!(lost.is_empty(), "acknowledged and lost: {lost:?}");

    cluster.set_read_only(true);
    // The server reloads its settings at an unknown time.
    let mut refused = "no error";
    for number in 0.. {
        refused = create(&test, &account, &format!("more-{number}")).await;
        if refused != "no error" {
            break;
        }
    }
    assert_eq!(refused, "UNAVAILABLE", "a primary that has become a standby");
    assert!(slugs(&test).await.is_ok(), "reads go on");
    cluster.set_read_only(false);
    loop {
        match create(&test, &account, "last").await {
            "no error" => break,
            other => assert_eq!(other, "UNAVAILABLE"),
        }
    }
}
