-- Goals of releases, and the exposures of visitors, as in migrations/0009_goals.sql. The erasure of a visitor deletes
-- the rows and keeps the counts in lift_groups.

create function json_entry(text, integer) returns text language sql immutable strict parallel safe
    as $$ select $1::json ->> $2 $$;
create operator ->> (leftarg = text, rightarg = integer, function = json_entry);

alter table releases add column goal text collate "C";
create index releases_goals_idx on releases (site_id, goal) where goal is not null;

-- The reported events that are goals.
create table goals (
    participant_id text collate "C" not null references participants (id),
    event text collate "C" not null,
    at bigint not null,
    primary key (participant_id, event, at)
);

-- The first visit at which a visitor was eligible for a release, apart from the holdout.
create table exposures (
    participant_id text collate "C" not null references participants (id),
    release_id text collate "C" not null references releases (id),
    held bigint not null,
    at bigint not null,
    -- 1 if the visitor completed the goal of the release afterwards.
    reached bigint not null default 0,
    primary key (participant_id, release_id)
);

-- The number of exposures and completed goals per group.
create table lift_groups (
    release_id text collate "C" not null references releases (id),
    held bigint not null,
    people bigint not null,
    reached bigint not null,
    primary key (release_id, held)
) with (fillfactor = 50);

-- Adds an exposure to the counts, or subtracts it with the sign -1.
create function count_exposure(sign integer, exposure exposures) returns void language sql as $$
    insert into lift_groups (release_id, held, people, reached)
    values (exposure.release_id, exposure.held, sign, sign * exposure.reached)
    on conflict (release_id, held) do update set people = lift_groups.people + excluded.people,
        reached = lift_groups.reached + excluded.reached
$$;

create function exposures_counted() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        perform count_exposure(-1, old);
    end if;
    if tg_op <> 'DELETE' then
        perform count_exposure(1, new);
    end if;
    return null;
end $$;

create trigger exposures_counted_insert after insert on exposures for each row execute function exposures_counted();
create trigger exposures_counted_update after update on exposures for each row
    when (old.held <> new.held or old.reached <> new.reached) execute function exposures_counted();
create trigger exposures_counted_delete after delete on exposures for each row execute function exposures_counted();

-- The position of a run: seq * 128 + step * 2 + completed, of the last event that shows or completes a step. The
-- maximum wins, so that events can arrive in any order.
alter table runs add column whereabouts bigint;
