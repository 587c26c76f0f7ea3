//! A server for tests of backups, on which the commands of an operator run.

use std::{fs, path::Path};

use crate::postgres::{Server, url_at};

const DATABASE: &str = "waypost";

pub struct Archive {
    server: Server,
}

impl Archive {
    pub fn start() -> Self {
        let server = Server::start();
        // An operator's command starts the server again, without the option of the first start.
        let folder = server.folder.display();
        server.run(&format!("alter system set unix_socket_directories = '{folder}'"));
        server.create_database(DATABASE);
        Self { server }
    }

    pub fn url(&self) -> String {
        url_at(&self.server.folder.display().to_string().replace('/', "%2F"), DATABASE)
    }

    /// Runs an SQL statement, and returns its output.
    pub fn run(&self, statement: &str) -> String {
        self.server.run(statement)
    }

    /// Runs commands of a shell as the user of the server, with `PGDATA`, the folder `BACKUP` next to it, and `TIME`.
    pub fn shell(&self, commands: &str, time: &str) {
        let folder = &self.server.folder;
        let output = self
            .server
            .shell()
            .args(["-e", "-u", "-c", commands])
            .env("PGDATA", folder.join("data"))
            .env("BACKUP", folder.join("backup"))
            .env("TIME", time)
            .output()
            .expect("`sh` is installed");
        let log = fs::read_to_string(folder.join("backup/log")).unwrap_or_default();
        assert!(
            output.status.success(),
            "{commands}\n{}{}\n{log}",
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
    }

    /// True if the server has archived a file.
    pub fn has_archived(&self, file: &str) -> bool {
        Path::new(&self.server.folder).join("backup/wal").join(file).is_file()
    }
}
