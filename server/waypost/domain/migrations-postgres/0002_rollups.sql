-- Counts for insights, by day. Triggers add the difference between the old and the new row of a run, so that the counts
-- are exact regardless of how runs change. The erasure of a visitor deletes the runs and keeps the counts. As in
-- migrations/0005_rollups.sql. The fill factor leaves room for updates in the same page, because the rows are updated
-- often.

-- The runs of one revision on one site that started on one day, in days since 1970-01-01 in UTC.
create table tour_days (
    id bigint generated always as identity primary key,
    tour_id text collate "C" not null references tours (id),
    site_id text collate "C" not null references sites (id),
    revision_id text collate "C" not null references revisions (id),
    day bigint not null,
    started integer not null,
    completed integer not null,
    dismissed integer not null,
    failed integer not null,
    superseded integer not null,
    -- Started and not ended: active or abandoned.
    open integer not null
) with (fillfactor = 50);
create unique index tour_days_key on tour_days (tour_id, day, site_id, revision_id);

create table step_days (
    tour_day_id bigint not null references tour_days (id),
    step bigint not null,
    seen integer not null,
    done integer not null,
    missing integer not null,
    primary key (tour_day_id, step)
) with (fillfactor = 50);

-- Histograms of durations: the number of runs per bucket. Step -1 stands for whole completed runs.
create table time_days (
    tour_day_id bigint not null references tour_days (id),
    step bigint not null,
    bucket bigint not null,
    runs integer not null,
    primary key (tour_day_id, step, bucket)
) with (fillfactor = 50);

-- Adds the values of a run to the counts, or subtracts them with the sign -1.
create function count_run(sign integer, run runs) returns void language plpgsql as $$
declare
    day_id bigint;
begin
    insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open)
    values (run.tour_id, run.site_id, run.revision_id, run.started_at / 86400000, sign * run.started,
        sign * (run.state = 'COMPLETED')::integer, sign * (run.state = 'DISMISSED')::integer,
        sign * (run.state = 'FAILED')::integer, sign * (run.state = 'SUPERSEDED')::integer,
        sign * (run.started = 1 and run.state = 'ACTIVE')::integer)
    on conflict (tour_id, day, site_id, revision_id) do update set started = tour_days.started + excluded.started,
        completed = tour_days.completed + excluded.completed, dismissed = tour_days.dismissed + excluded.dismissed,
        failed = tour_days.failed + excluded.failed, superseded = tour_days.superseded + excluded.superseded,
        open = tour_days.open + excluded.open
    returning id into day_id;
    insert into step_days (tour_day_id, step, seen, done, missing)
    select day_id, n, sign * (run.seen >> n & 1), sign * (run.done >> n & 1), sign * (run.missing >> n & 1)
    from generate_series(0, 62) n where (run.seen | run.done | run.missing) >> n & 1 = 1
    on conflict (tour_day_id, step) do update set seen = step_days.seen + excluded.seen,
        done = step_days.done + excluded.done, missing = step_days.missing + excluded.missing;
    insert into time_days (tour_day_id, step, bucket, runs)
    select day_id, b.key - 1, b.value::bigint, sign from json_each(run.buckets) b where b.value is not null
    on conflict (tour_day_id, step, bucket) do update set runs = time_days.runs + excluded.runs;
end $$;

create function runs_counted() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        perform count_run(-1, old);
    end if;
    perform count_run(1, new);
    return null;
end $$;

create trigger runs_counted_insert after insert on runs for each row execute function runs_counted();
create trigger runs_counted_update after update on runs for each row
    when ((old.tour_id, old.site_id, old.revision_id, old.started_at, old.started, old.state, old.seen, old.done, old.missing,
            old.buckets)
        is distinct from (new.tour_id, new.site_id, new.revision_id, new.started_at, new.started, new.state, new.seen,
            new.done, new.missing, new.buckets))
    execute function runs_counted();
