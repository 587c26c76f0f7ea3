-- Goals of releases, and the exposures of visitors. The erasure of a visitor deletes the rows and keeps the counts in
-- lift_groups.

alter table releases add column goal text;
create index releases_goals_idx on releases (site_id, goal) where goal is not null;

-- The reported events that are goals.
create table goals (
    participant_id text not null references participants (id),
    event text not null,
    at integer not null,
    primary key (participant_id, event, at)
) strict, without rowid;

-- The first visit at which a visitor was eligible for a release, apart from the holdout.
create table exposures (
    participant_id text not null references participants (id),
    release_id text not null references releases (id),
    held integer not null,
    at integer not null,
    -- 1 if the visitor completed the goal of the release afterwards.
    reached integer not null default 0,
    primary key (participant_id, release_id)
) strict, without rowid;

-- The number of exposures and completed goals per group.
create table lift_groups (
    release_id text not null references releases (id),
    held integer not null,
    people integer not null,
    reached integer not null,
    primary key (release_id, held)
) strict, without rowid;

create trigger exposures_counted_insert after insert on exposures
begin
    insert into lift_groups (release_id, held, people, reached) values (new.release_id, new.held, 1, new.reached)
    on conflict (release_id, held) do update set people = people + 1, reached = reached + excluded.reached;
end;
create trigger exposures_counted_update after update on exposures
when old.held <> new.held or old.reached <> new.reached
begin
    update lift_groups set people = people - 1, reached = reached - old.reached
    where release_id = old.release_id and held = old.held;
    insert into lift_groups (release_id, held, people, reached) values (new.release_id, new.held, 1, new.reached)
    on conflict (release_id, held) do update set people = people + 1, reached = reached + excluded.reached;
end;
create trigger exposures_counted_delete after delete on exposures
begin
    update lift_groups set people = people - 1, reached = reached - old.reached
    where release_id = old.release_id and held = old.held;
end;

-- The position of a run: seq * 128 + step * 2 + completed, of the last event that shows or completes a step. The
-- maximum wins, so that events can arrive in any order.
alter table runs add column whereabouts integer;
update runs set whereabouts = (
    select max(e.seq * 128 + s.key * 2 + (e.kind = 'STEP_DONE'))
    from events e join revisions r on r.id = runs.revision_id join json_each(r.steps) s on s.value ->> 'key' = e.step_key
    where e.run_id = runs.id and e.kind in ('RUN_STARTED', 'STEP_SEEN', 'STEP_DONE'));
