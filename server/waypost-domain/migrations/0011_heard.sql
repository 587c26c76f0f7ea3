-- Where a participant was last, and what the pages of a site tell of: the names from which goals and rules are chosen.

alter table participants add column last_page text;

create table site_events (
    site_id text not null references sites (id),
    name text not null,
    last_at integer not null,
    primary key (site_id, name)
) strict, without rowid;
