-- The tables and columns of migrations/0002_attempts.sql, which has their comments, for PostgreSQL.

create table attempts (
    visitor_serial bigint not null references visitors (serial),
    tour_serial bigint not null references tours (serial),
    day bigint not null,
    problem bigint not null constraint attempts_problem_check check (problem in (0, 1)),
    release_serial bigint not null references releases (serial),
    step bigint,
    at bigint not null,
    counted bigint not null default 1,
    primary key (visitor_serial, tour_serial, day, problem)
);

create table refused_origins (
    site_id text collate "C" not null references sites (id),
    origin text collate "C" not null,
    count bigint not null,
    last_at bigint not null,
    primary key (site_id, origin)
);

alter table tour_days add column with_gaps integer not null default 0;
alter table tour_days add column stopped integer not null default 0;
alter table tour_days add column not_found integer not null default 0;
alter table tour_days add column not_loaded integer not null default 0;
alter table step_days add column not_found integer not null default 0;

update tour_days set with_gaps = c.with_gaps, stopped = c.stopped, dismissed = tour_days.dismissed - c.stopped,
    failed = tour_days.failed - c.failed, superseded = tour_days.superseded - c.superseded, not_found = c.not_found
from (
    select l.tour_id, l.site_id, l.revision_id, n.started_at / 86400000 as day,
        count(*) filter (where n.state = 'COMPLETED' and n.missing & ~n.seen <> 0) as with_gaps,
        count(*) filter (where n.state = 'DISMISSED' and n.end_reason = 'PROGRAM') as stopped,
        count(*) filter (where n.started = 0 and n.state = 'FAILED') as failed,
        count(*) filter (where n.started = 0 and n.state = 'SUPERSEDED') as superseded,
        count(*) filter (where n.started = 0 and (n.missing <> 0 or n.state = 'FAILED')) as not_found
    from runs n join releases l on l.serial = n.release_serial
    group by l.tour_id, l.site_id, l.revision_id, n.started_at / 86400000
) c
where (tour_days.tour_id, tour_days.site_id, tour_days.revision_id, tour_days.day)
    = (c.tour_id, c.site_id, c.revision_id, c.day);

create or replace function count_runs(added runs[], taken runs[]) returns void language plpgsql as $$
begin
    with changed as materialized (
        select c.*, l.tour_id, l.site_id, l.revision_id
        from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(taken)) c
        join releases l on l.serial = c.release_serial
    ), days as (
        insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open,
            with_gaps, stopped, not_found)
        select tour_id, site_id, revision_id, started_at / 86400000, sum(sign * started),
            sum(sign * (state = 'COMPLETED')::integer),
            sum(sign * (state = 'DISMISSED' and end_reason is distinct from 'PROGRAM')::integer),
            sum(sign * (started = 1 and state = 'FAILED')::integer),
            sum(sign * (started = 1 and state = 'SUPERSEDED')::integer),
            sum(sign * (started = 1 and state = 'ACTIVE')::integer),
            sum(sign * (state = 'COMPLETED' and missing & ~seen <> 0)::integer),
            sum(sign * (state = 'DISMISSED' and end_reason is not distinct from 'PROGRAM')::integer),
            sum(sign * (started = 0 and (missing <> 0 or state = 'FAILED'))::integer)
        from changed group by tour_id, site_id, revision_id, started_at / 86400000
        on conflict (tour_id, day, site_id, revision_id) do update set started = tour_days.started + excluded.started,
            completed = tour_days.completed + excluded.completed, dismissed = tour_days.dismissed + excluded.dismissed,
            failed = tour_days.failed + excluded.failed, superseded = tour_days.superseded + excluded.superseded,
            open = tour_days.open + excluded.open, with_gaps = tour_days.with_gaps + excluded.with_gaps,
            stopped = tour_days.stopped + excluded.stopped, not_found = tour_days.not_found + excluded.not_found
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

-- Adds an attempt to the counts, or subtracts it with the sign -1. As with runs, a deletion keeps the counts.
create function count_attempt(sign integer, attempt attempts) returns void language plpgsql as $$
begin
    if attempt.counted = 0 then
        return;
    end if;
    with day as (
        insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open,
            not_found, not_loaded)
        select l.tour_id, l.site_id, l.revision_id, attempt.day, 0, 0, 0, 0, 0, 0, sign * (attempt.problem = 0)::integer,
            sign * (attempt.problem = 1)::integer
        from releases l where l.serial = attempt.release_serial
        on conflict (tour_id, day, site_id, revision_id) do update set
            not_found = tour_days.not_found + excluded.not_found, not_loaded = tour_days.not_loaded + excluded.not_loaded
        returning id
    )
    insert into step_days (tour_day_id, step, seen, done, missing, not_found)
    select id, attempt.step, 0, 0, 0, sign from day where attempt.problem = 0 and attempt.step is not null
    on conflict (tour_day_id, step) do update set not_found = step_days.not_found + excluded.not_found;
end $$;

create function attempt_changed() returns trigger language plpgsql as $$
begin
    if tg_op = 'UPDATE' then
        perform count_attempt(-1, old);
    end if;
    perform count_attempt(1, new);
    return null;
end $$;
create trigger attempts_added after insert on attempts for each row execute function attempt_changed();
create trigger attempts_changed after update on attempts for each row
    when ((old.release_serial, old.step, old.counted) is distinct from (new.release_serial, new.step, new.counted))
    execute function attempt_changed();
