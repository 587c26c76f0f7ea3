-- The last page of a visitor, and the events that pages of a site report, which can be chosen for goals and rules.

alter table participants add column last_page text;

create table site_events (
    site_id text not null references sites (id),
    name text not null,
    last_at integer not null,
    primary key (site_id, name)
) strict, without rowid;
