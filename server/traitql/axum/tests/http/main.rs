#![allow(clippy::unwrap_used)]

mod ad_hoc;
mod authentication;
mod caching;
mod documents;
mod fixture;
mod foreign_pages;
mod multipart;
mod protocol;
mod records;
mod serving;
mod socket;
