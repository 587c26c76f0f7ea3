//! Each type corresponds to a document of `operations/`. The documents of the command line are in
//! `waypost-api-client`.

#![allow(dead_code, reason = "the fields are only deserialized, never read")]

mod inputs;
mod mutations;
mod queries;
mod types;

pub use inputs::*;
pub use mutations::*;
pub use queries::*;
pub use types::*;

#[cynic::schema("waypost")]
mod schema {}

#[derive(cynic::Scalar, Debug, Clone)]
pub struct Url(pub String);

#[derive(cynic::Scalar, Debug, Clone)]
pub struct DateTime(pub String);

#[derive(cynic::Scalar, Debug, Clone)]
pub struct Date(pub String);

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum AccessTokenRole {
    Viewer,
    Author,
    Publisher,
}

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum Role {
    Viewer,
    Author,
    Publisher,
    Admin,
}

#[derive(cynic::Enum, Debug, Clone, Copy)]
pub enum EventKind {
    RunStarted,
    StepSeen,
    StepDone,
    TargetMissing,
    RunCompleted,
    RunDismissed,
    RunFailed,
}
