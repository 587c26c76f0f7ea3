//! Reads that may be late use a standby.

use std::time::Duration;

use tokio::time::{sleep, timeout};
use traitql::Internal;
use waypost_domain::store::{Conn, LateRead, PostgresUrl, scalar};
use waypost_testkit::Cluster;

use crate::{App, testing::TestApp};

const TIMEOUT: Duration = Duration::from_secs(30);

const IS_STANDBY: &str = "select case when pg_is_in_recovery() then 1 else 0 end::bigint";

struct IsStandby;

impl LateRead for IsStandby {
    type Output = bool;

    async fn read(&self, tx: &mut Conn) -> Result<bool, Internal> {
        Ok(scalar::<i64>(IS_STANDBY).fetch_one(tx).await? == 1)
    }
}

/// Returns whether a statement and a transaction are read from a standby.
async fn reads_standby(app: &App) -> [bool; 2] {
    let statement: i64 = scalar(IS_STANDBY)
        .fetch_one(app.store.late_reader())
        .await
        .expect("a statement");
    let transaction = app.store.read_late(IsStandby).await.expect("a transaction");
    [statement == 1, transaction]
}

async fn until(app: &App, uses_replica: bool) {
    let reached = async {
        while app.uses_replica() != Some(uses_replica) {
            sleep(Duration::from_millis(10)).await;
        }
    };
    timeout(TIMEOUT, reached).await.expect("the replica is checked");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn late_reads_use_a_standby_unless_it_is_behind_or_fails() {
    let mut cluster = Cluster::start();
    let replica: PostgresUrl = cluster.standby_url().parse().expect("an address");
    let test = TestApp::over(Some(cluster.primary_url()), |config| {
        let primary = config.postgres.take();
        config.postgres = primary.map(|primary| primary.with_replica(replica));
    })
    .await;
    let app = &test.app;
    until(app, true).await;
    assert_eq!(reads_standby(app).await, [true, true]);

    cluster.pause_standby(true);
    test.account("ada").await;
    until(app, false).await;
    assert_eq!(reads_standby(app).await, [false, false], "the standby is behind");
    cluster.pause_standby(false);
    until(app, true).await;
    assert_eq!(reads_standby(app).await, [true, true]);

    cluster.stop_standby();
    // Before a check notices it, too.
    assert_eq!(reads_standby(app).await, [false, false]);
    until(app, false).await;
    assert_eq!(reads_standby(app).await, [false, false]);
}

#[tokio::test]
async fn without_a_replica_late_reads_are_those_of_the_primary() {
    let test = TestApp::over(Some(waypost_testkit::create_database()), |_| {}).await;
    assert_eq!(test.app.uses_replica(), None);
    assert_eq!(reads_standby(&test.app).await, [false, false]);
}
