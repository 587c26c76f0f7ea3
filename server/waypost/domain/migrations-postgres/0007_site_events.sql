-- The last page of a visitor, and the events that pages of a site report, which can be chosen for goals and rules. As
-- in migrations/0011_site_events.sql.

alter table participants add column last_page text collate "C";

create table site_events (
    site_id text collate "C" not null references sites (id),
    name text collate "C" not null,
    last_at bigint not null,
    primary key (site_id, name)
);
