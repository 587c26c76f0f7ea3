//! Failures that end without a change of the program, so that callers should retry.

use std::io;

use traitql::Outage;

use crate::Error;

/// Marks an error as an [`Outage`] if the database does not respond, is locked, or cannot be written. A statement that
/// writes on a connection for reading has the same codes as a read-only disk, so tests notice it by its failure only.
pub(crate) fn mark(error: Error) -> Error {
    match problem(&error) {
        Some(problem) => Error::Io(io::Error::other(Outage::new(problem, error))),
        None => error,
    }
}

/// True for an error that [`mark`] has marked.
pub(crate) fn is_marked(error: &Error) -> bool {
    matches!(error, Error::Io(error) if error.get_ref().is_some_and(|inner| inner.is::<Outage>()))
}

const UNREACHABLE: &str = "the database does not respond";
const BUSY: &str = "the database is busy";
const READ_ONLY: &str = "the database is read-only at the moment";
const FULL: &str = "the disk of the database is full or cannot be written";

fn problem(error: &Error) -> Option<&'static str> {
    match error {
        // A connection that is cut in its handshake is a protocol error.
        Error::Io(_) | Error::Tls(_) | Error::Protocol(_) | Error::PoolClosed | Error::WorkerCrashed => {
            Some(UNREACHABLE)
        }
        Error::PoolTimedOut => Some("the database does not respond or is busy"),
        Error::Database(error) => {
            let code = error.code()?;
            // Codes of PostgreSQL have five characters. Those of SQLite are smaller numbers.
            match code.parse() {
                Ok(code) if code < 10_000 => sqlite_problem(code),
                _ => postgres_problem(&code),
            }
        }
        _ => None,
    }
}

fn sqlite_problem(extended_code: u32) -> Option<&'static str> {
    const SQLITE_BUSY: u32 = 5;
    const SQLITE_LOCKED: u32 = 6;
    const SQLITE_READONLY: u32 = 8;
    const SQLITE_IOERR: u32 = 10;
    const SQLITE_FULL: u32 = 13;
    const SQLITE_CANTOPEN: u32 = 14;
    match extended_code & 0xff {
        SQLITE_BUSY | SQLITE_LOCKED => Some(BUSY),
        SQLITE_READONLY => Some(READ_ONLY),
        SQLITE_IOERR | SQLITE_FULL | SQLITE_CANTOPEN => Some(FULL),
        _ => None,
    }
}

fn postgres_problem(code: &str) -> Option<&'static str> {
    match code {
        // lock_not_available, query_canceled (statement_timeout), serialization_failure (as on a standby), deadlock_detected
        "55P03" | "57014" | "40001" | "40P01" => Some(BUSY),
        // read_only_sql_transaction, of a primary that has become a standby.
        "25006" => Some(READ_ONLY),
        // disk_full, io_error, and insufficient_privilege, which is also the code of files on a read-only disk.
        "53100" | "58030" | "42501" => Some(FULL),
        // Connection exceptions, insufficient resources, and shutdowns.
        _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => Some(UNREACHABLE),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handshake_that_is_cut_is_an_outage() {
        let cut = Error::Protocol("unexpected response from SSLRequest: 0x00".to_owned());
        assert_eq!(problem(&cut), Some(UNREACHABLE));
        assert_eq!(problem(&Error::RowNotFound), None);
    }

    #[test]
    fn only_codes_of_outages_are_classified_as_outages() {
        for code in [5, 261, 6, 8, 10, 778, 13, 14] {
            assert!(sqlite_problem(code).is_some(), "{code}");
        }
        for code in [1, 19, 787, 2067] {
            assert_eq!(sqlite_problem(code), None, "{code}");
        }
        for code in [
            "08006", "25006", "40001", "40P01", "42501", "53100", "53300", "55P03", "57014", "57P01", "57P02", "57P03",
            "57P05", "58030",
        ] {
            assert!(postgres_problem(code).is_some(), "{code}");
        }
        for code in ["23505", "25001", "42601", "57000"] {
            assert_eq!(postgres_problem(code), None, "{code}");
        }
    }
}
