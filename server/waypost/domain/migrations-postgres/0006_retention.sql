-- The tables and columns of migrations/0006_retention.sql, which has their comments, for PostgreSQL.

alter table workspaces add column retain_visitors_days bigint not null default 400;
alter table workspaces add column retain_runs_days bigint not null default 400;
alter table workspaces add column retain_audit_days bigint not null default 1095;
update workspaces set retain_visitors_days = 3650, retain_runs_days = 3650, retain_audit_days = 3650;
alter table workspaces add column audit_deleted_until bigint not null default 0;

drop trigger audit_entries_delete on audit_entries;
create function audit_entry_is_kept(workspace text, at bigint) returns boolean language sql stable
    as $$ select not exists (select 1 from workspaces w
        where w.id = $1 and (w.sample = 1 or $2 < w.audit_deleted_until)) $$;
create trigger audit_entries_delete before delete on audit_entries for each row
    when (audit_entry_is_kept(old.workspace_id, old.at))
    execute function refuse('an audit entry never changes');
drop function workspace_is_sample(text);

create table visitor_days (
    tour_day_id bigint not null references tour_days (id),
    day_before bigint not null,
    day_after bigint not null,
    revision_day_before bigint not null,
    revision_day_after bigint not null,
    runs bigint not null,
    primary key (tour_day_id, day_before, day_after, revision_day_before, revision_day_after)
);

create table leases (
    work text collate "C" primary key,
    process text collate "C" not null,
    ends_at bigint not null
);

create index visitors_anonymous_idx on visitors (site_serial, last_seen_at) where external_id is null;
