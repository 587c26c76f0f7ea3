mod archive;
mod pooler;
mod postgres;
mod standby;

pub use archive::Archive;
pub use pooler::Pooler;
pub use postgres::{create_database, database_url, default_database, dump_database, restore_database};
pub use standby::Cluster;
