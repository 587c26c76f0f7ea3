-- The account that tests as the visitor.
alter table participants add column tester_id text references accounts (id);
create index participants_newest_idx on participants (site_id, last_seen_at, id);

-- The time of the last reset of a visitor and a tour. Offers ignore the runs that started before.
create table participant_resets (
    participant_id text not null references participants (id),
    tour_id text not null references tours (id),
    at integer not null,
    primary key (participant_id, tour_id)
) strict, without rowid;

-- The runs of erased visitors, without any reference to them. Later events of these runs are rejected, so that they are
-- not restored. Rows are kept for the maximum age of events.
create table erased_runs (
    run_id text primary key not null,
    at integer not null
) strict, without rowid;
