//! Tests of the resolvers with a real database in a temporary folder.

mod access;
mod audit;
mod batches;
mod explain;
mod identity;
mod insights;
mod invitations;
mod lift;
mod limits;
mod outages;
mod releases;
mod reviews;
mod rollout;
mod runs;
mod sample;
mod seeds;
mod segments;
mod storage;
mod subscriptions;
mod themes;
mod tours;
mod visitors;
