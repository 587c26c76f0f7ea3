-- Where a participant was last, and what the pages of a site tell of: the names from which goals and rules are chosen. As in
-- migrations/0011_heard.sql.

alter table participants add column last_page text collate "C";

create table site_events (
    site_id text collate "C" not null references sites (id),
    name text collate "C" not null,
    last_at bigint not null,
    primary key (site_id, name)
);
