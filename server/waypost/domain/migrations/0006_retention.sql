-- Retention: what a workspace deletes after how many days, and what its insights keep of deleted runs.

alter table workspaces add column retain_visitors_days integer not null default 400;
alter table workspaces add column retain_runs_days integer not null default 400;
alter table workspaces add column retain_audit_days integer not null default 1095;
-- An update deletes nothing that earlier versions kept: existing workspaces start with the longest retention.
update workspaces set retain_visitors_days = 3650, retain_runs_days = 3650, retain_audit_days = 3650;
-- Audit entries before this time can be deleted.
alter table workspaces add column audit_deleted_until integer not null default 0;

drop trigger audit_entries_delete;
create trigger audit_entries_delete before delete on audit_entries when not exists (
    select 1 from workspaces w where w.id = old.workspace_id and (w.sample = 1 or old.at < w.audit_deleted_until))
begin
    select raise(abort, 'an audit entry never changes');
end;

-- The visitors of deleted runs, from which the visitors of any range of days follow: a deleted run counts if it is in the
-- range, but neither the run before it nor the one after it, of those that were stored when it was deleted. A visitor with
-- stored runs in the range therefore counts with these, and another one with the run that was deleted last. The days are
-- since 1970-01-01 in UTC; -1 and 1000000 stand for none.
create table visitor_days (
    tour_day_id integer not null references tour_days (id),
    -- Of the visitor's runs of the tour.
    day_before integer not null,
    day_after integer not null,
    -- Of the visitor's runs of the revision.
    revision_day_before integer not null,
    revision_day_after integer not null,
    runs integer not null,
    primary key (tour_day_id, day_before, day_after, revision_day_before, revision_day_after)
) strict, without rowid;

-- Work that one of several processes does, until a time that it extends.
create table leases (
    work text primary key not null,
    process text not null,
    ends_at integer not null
) strict, without rowid;

-- The anonymous visitors of a site that were not seen for longest make room for new ones.
create index visitors_anonymous_idx on visitors (site_serial, last_seen_at) where external_id is null;
