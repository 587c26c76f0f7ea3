-- Goals of releases: whom a release was offered to or held out from, and who came to its goal. Erasing a person deletes their rows
-- and leaves the numbers in lift_groups. As in migrations/0009_goals.sql.

create function json_entry(text, integer) returns text language sql immutable strict parallel safe
    as $$ select $1::json ->> $2 $$;
create operator ->> (leftarg = text, rightarg = integer, function = json_entry);

alter table releases add column goal text collate "C";
create index releases_goals_idx on releases (site_id, goal) where goal is not null;

-- What pages said has happened, of the events that are goals.
create table goals (
    participant_id text collate "C" not null references participants (id),
    event text collate "C" not null,
    at bigint not null,
    primary key (participant_id, event, at)
);

-- The first page view of a participant during a release at which nothing but the holdout stood in the way.
create table exposures (
    participant_id text collate "C" not null references participants (id),
    release_id text collate "C" not null references releases (id),
    held bigint not null,
    at bigint not null,
    -- Whether they came to the goal of the release after that.
    reached bigint not null default 0,
    primary key (participant_id, release_id)
);

-- The same, counted.
create table lift_groups (
    release_id text collate "C" not null references releases (id),
    held bigint not null,
    people bigint not null,
    reached bigint not null,
    primary key (release_id, held)
) with (fillfactor = 50);

-- Takes an exposure into the numbers, or out of them with the sign -1.
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

-- Where a run is: 128 times the number of the last event that shows or finishes a step, twice the step's place, and 1 if it
-- was finished. The greatest counts, so events may come in any order.
alter table runs add column whereabouts bigint;
