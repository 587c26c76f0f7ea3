-- Batched reports: one statement writes many rows. SQLite needs no migration for this.

-- For rows with many columns. With the path '$', which also means the whole document in SQLite, each entry is parsed
-- once instead of once per column.
create function json_each(text, text) returns table (key bigint, value jsonb) language sql immutable parallel safe
    as $$ select at - 1, entry from jsonb_array_elements($1::jsonb) with ordinality as entries (entry, at) $$;

-- Statement-level triggers count the runs once for all rows that a statement changes, so that each count is updated
-- once per statement and not once per row.
drop trigger runs_counted_insert on runs;
drop trigger runs_counted_update on runs;
drop function runs_counted();
drop function count_run(integer, runs);

-- Adds new rows to the counts, and subtracts old ones.
create function count_runs(added runs[], taken runs[]) returns void language plpgsql as $$
begin
    with changed as materialized (
        select 1 as sign, * from unnest(added) union all select -1, * from unnest(taken)
    ), days as (
        insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open)
        select tour_id, site_id, revision_id, started_at / 86400000, sum(sign * started),
            sum(sign * (state = 'COMPLETED')::integer), sum(sign * (state = 'DISMISSED')::integer),
            sum(sign * (state = 'FAILED')::integer), sum(sign * (state = 'SUPERSEDED')::integer),
            sum(sign * (started = 1 and state = 'ACTIVE')::integer)
        from changed group by tour_id, site_id, revision_id, started_at / 86400000
        on conflict (tour_id, day, site_id, revision_id) do update set started = tour_days.started + excluded.started,
            completed = tour_days.completed + excluded.completed, dismissed = tour_days.dismissed + excluded.dismissed,
            failed = tour_days.failed + excluded.failed, superseded = tour_days.superseded + excluded.superseded,
            open = tour_days.open + excluded.open
        returning id, tour_id, site_id, revision_id, day
    ), placed as materialized (
        select d.id, c.sign, c.seen, c.done, c.missing, c.buckets
        from changed c join days d on (d.tour_id, d.site_id, d.revision_id, d.day)
            = (c.tour_id, c.site_id, c.revision_id, c.started_at / 86400000)
    ), steps as (
        insert into step_days (tour_day_id, step, seen, done, missing)
        select id, n, sum(sign * (seen >> n & 1)::integer), sum(sign * (done >> n & 1)::integer),
            sum(sign * (missing >> n & 1)::integer)
        from placed cross join generate_series(0, 62) n where (seen | done | missing) >> n & 1 = 1 group by id, n
        having (sum(sign * (seen >> n & 1)::integer), sum(sign * (done >> n & 1)::integer),
            sum(sign * (missing >> n & 1)::integer)) <> (0, 0, 0)
        on conflict (tour_day_id, step) do update set seen = step_days.seen + excluded.seen,
            done = step_days.done + excluded.done, missing = step_days.missing + excluded.missing
    )
    insert into time_days (tour_day_id, step, bucket, runs)
    select id, b.key - 1, b.value::bigint, sum(sign) from placed cross join json_each(buckets) b
    where b.value is not null group by id, b.key, b.value having sum(sign) <> 0
    on conflict (tour_day_id, step, bucket) do update set runs = time_days.runs + excluded.runs;
end $$;

create function runs_added() returns trigger language plpgsql as $$
begin
    perform count_runs((select array_agg(a::runs) from added a), null) where exists (select 1 from added);
    return null;
end $$;
create function runs_changed() returns trigger language plpgsql as $$
begin
    perform count_runs((select array_agg(a::runs) from added a), (select array_agg(t::runs) from taken t))
    where exists (select 1 from added);
    return null;
end $$;
create trigger runs_added after insert on runs referencing new table as added for each statement
    execute function runs_added();
create trigger runs_changed after update on runs referencing old table as taken new table as added for each statement
    execute function runs_changed();

-- The same for exposures.
drop trigger exposures_counted_insert on exposures;
drop trigger exposures_counted_update on exposures;
drop trigger exposures_counted_delete on exposures;
drop function exposures_counted();
drop function count_exposure(integer, exposures);

create function count_exposures(added exposures[], taken exposures[]) returns void language plpgsql as $$
begin
    insert into lift_groups (release_id, held, people, reached)
    select release_id, held, sum(sign), sum(sign * reached)
    from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(taken)) changed
    group by release_id, held having (sum(sign), sum(sign * reached)) <> (0, 0)
    on conflict (release_id, held) do update set people = lift_groups.people + excluded.people,
        reached = lift_groups.reached + excluded.reached;
end $$;

create function exposures_added() returns trigger language plpgsql as $$
begin
    perform count_exposures((select array_agg(a::exposures) from added a), null) where exists (select 1 from added);
    return null;
end $$;
create function exposures_changed() returns trigger language plpgsql as $$
begin
    perform count_exposures((select array_agg(a::exposures) from added a), (select array_agg(t::exposures) from taken t))
    where exists (select 1 from added);
    return null;
end $$;
create function exposures_taken() returns trigger language plpgsql as $$
begin
    perform count_exposures(null, (select array_agg(t::exposures) from taken t)) where exists (select 1 from taken);
    return null;
end $$;
create trigger exposures_added after insert on exposures referencing new table as added for each statement
    execute function exposures_added();
create trigger exposures_changed after update on exposures referencing old table as taken new table as added
    for each statement execute function exposures_changed();
create trigger exposures_taken after delete on exposures referencing old table as taken for each statement
    execute function exposures_taken();
