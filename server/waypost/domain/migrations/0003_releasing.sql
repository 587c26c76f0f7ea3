-- Rollouts, holdouts, schedules and pauses of releases, and releases that end active runs.
alter table releases add column rollout_percent integer not null default 100
    constraint releases_rollout_check check (rollout_percent between 0 and 100);
alter table releases add column holdout_percent integer not null default 0
    constraint releases_holdout_check check (holdout_percent between 0 and 50);
alter table releases add column starts_at integer;
alter table releases add column ends_at integer;
alter table releases add column paused_at integer;
-- The time at which the active runs of the release were ended, with it or with a later release. They count as
-- SUPERSEDED, including runs that are reported afterwards.
alter table releases add column runs_ended_at integer;

-- The state changes of a release: paused, resumed or ended, with account and note.
create table release_changes (
    release_id text not null references releases (id),
    at integer not null,
    state text not null constraint release_changes_state_check check (state in ('LIVE', 'PAUSED', 'ENDED')),
    by_id text not null references accounts (id),
    note text
) strict;
create index release_changes_of_release_idx on release_changes (release_id, at);

-- Before, a release ended when it was replaced or ended explicitly. The audit log contains the account.
insert into release_changes (release_id, at, state, by_id)
select l.id, l.ended_at, 'ENDED', coalesce(
    (select n.by_id from releases n where n.tour_id = l.tour_id and n.site_id = l.site_id and n.at = l.ended_at and n.id <> l.id),
    (select a.by_id from audit_entries a where a.action = 'release.end' and a.changes ->> '$[0].before' = l.id),
    l.by_id)
from releases l where l.ended_at is not null;

-- SQLite cannot change the check of a column in place.
alter table runs add column state_now text not null default 'ACTIVE'
    constraint runs_state_check check (state_now in ('ACTIVE', 'SUPERSEDED', 'FAILED', 'DISMISSED', 'COMPLETED'));
update runs set state_now = state;
alter table runs drop column state;
alter table runs rename column state_now to state;
-- For the visitors that were last seen on a site.
create index participants_of_site_idx on participants (site_id, last_seen_at);
-- For the active runs of a tour.
create index runs_inside_idx on runs (tour_id, site_id, last_at) where state = 'ACTIVE';
