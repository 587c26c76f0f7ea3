-- Whose test participant somebody is.
alter table participants add column tester_id text references accounts (id);
create index participants_newest_idx on participants (site_id, last_seen_at, id);

-- From when on a participant meets a tour as if for the first time: what is offered forgets the runs that began before.
create table participant_resets (
    participant_id text not null references participants (id),
    tour_id text not null references tours (id),
    at integer not null,
    primary key (participant_id, tour_id)
) strict, without rowid;

-- Runs whose person was erased. They name nobody; what a browser still sends about them is refused, so that nothing comes
-- back. Kept for as long as events may be old.
create table erased_runs (
    run_id text primary key not null,
    at integer not null
) strict, without rowid;
