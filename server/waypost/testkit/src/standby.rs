//! A failover from a primary to a standby, which has confirmed all commits.

use std::path::Path;

use crate::postgres::{Server, encoded, url_at};

const DATABASE: &str = "waypost";

pub struct Cluster {
    primary: Option<Server>,
    standby: Option<Server>,
}

impl Cluster {
    /// Starts both, and waits until the primary waits for the standby at each commit.
    pub fn start() -> Self {
        let primary = Server::start();
        primary.create_database(DATABASE);
        let standby = Server::standby_of(&primary);
        primary.run("alter system set synchronous_standby_names = '*'");
        primary.run("select pg_reload_conf()");
        while primary.run("select count(*) from pg_stat_replication where sync_state = 'sync'") != "1" {}
        Self {
            primary: Some(primary),
            standby: Some(standby),
        }
    }

    /// `address` is the host and the port of a proxy for [`Self::folder`].
    pub fn url(&self, address: &str) -> String {
        url_at(address, DATABASE)
    }

    /// The folder with the socket of the server that accepts writes.
    pub fn folder(&self) -> &Path {
        &self.writable().folder
    }

    pub fn primary_url(&self) -> String {
        self.url(&encoded(self.folder()))
    }

    /// The address of the standby, which can be read.
    pub fn standby_url(&self) -> String {
        let standby = self.standby.as_ref().expect("the standby runs");
        self.url(&encoded(&standby.folder))
    }

    /// Lets the standby receive changes without applying them, as if it were slow.
    pub fn pause_standby(&self, paused: bool) {
        let standby = self.standby.as_ref().expect("the standby runs");
        standby.run(if paused {
            "select pg_wal_replay_pause()"
        } else {
            "select pg_wal_replay_resume()"
        });
    }

    /// Ends the standby like a crash.
    pub fn stop_standby(&mut self) {
        if let Some(standby) = self.standby.take() {
            standby.stop();
        }
    }

    /// Ends the primary like a crash, and promotes the standby.
    pub fn fail_over(&mut self) {
        if let Some(primary) = self.primary.take() {
            primary.stop();
        }
        self.writable().run("select pg_promote()");
    }

    /// The primary, or the standby after a failover.
    fn writable(&self) -> &Server {
        let server = self.primary.as_ref().or(self.standby.as_ref());
        server.expect("a server runs")
    }

    /// Lets the server refuse writes, like a primary that has become a standby.
    pub fn set_read_only(&self, read_only: bool) {
        let server = self.writable();
        server.run(&format!("alter system set default_transaction_read_only = {read_only}"));
        server.run("select pg_reload_conf()");
    }
}
