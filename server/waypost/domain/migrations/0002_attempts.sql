-- Attempts to start a tour that showed no step, gaps of completed runs, runs that the page's code stopped, and origins that
-- a site does not allow.

-- The attempts to start a tour that showed no step. Of the attempts of a visitor, a tour, a day and a problem, the last one
-- is kept.
create table attempts (
    visitor_serial integer not null references visitors (serial),
    tour_serial integer not null references tours (serial),
    -- In days since 1970-01-01 in UTC.
    day integer not null,
    -- 0 if the element of a step was missing, 1 if the player could not be loaded.
    problem integer not null constraint attempts_problem_check check (problem in (0, 1)),
    release_serial integer not null references releases (serial),
    -- The first step whose element was missing, as an index in the revision.
    step integer,
    at integer not null,
    -- 0 if the counts do not contain the attempt.
    counted integer not null default 1,
    primary key (visitor_serial, tour_serial, day, problem)
) strict, without rowid;

-- The origins whose boot requests a site has refused.
create table refused_origins (
    site_id text not null references sites (id),
    origin text not null,
    count integer not null,
    last_at integer not null,
    primary key (site_id, origin)
) strict, without rowid;

-- From here on, failed and superseded are numbers of runs that have shown a step, and dismissed does not contain stopped
-- runs, so that started is the sum of the ends and open.
alter table tour_days add column with_gaps integer not null default 0;
alter table tour_days add column stopped integer not null default 0;
-- Attempts, and runs that have shown no step because of a missing element.
alter table tour_days add column not_found integer not null default 0;
alter table tour_days add column not_loaded integer not null default 0;
alter table step_days add column not_found integer not null default 0;

-- The runs of erased visitors are in the counts only, so that theirs remain as they were.
update tour_days set with_gaps = c.with_gaps, stopped = c.stopped, dismissed = tour_days.dismissed - c.stopped,
    failed = tour_days.failed - c.failed, superseded = tour_days.superseded - c.superseded, not_found = c.not_found
from (
    select l.tour_id, l.site_id, l.revision_id, n.started_at / 86400000 as day,
        sum(n.state = 'COMPLETED' and n.missing & ~n.seen <> 0) as with_gaps,
        sum(n.state = 'DISMISSED' and n.end_reason is 'PROGRAM') as stopped,
        sum(n.started = 0 and n.state = 'FAILED') as failed,
        sum(n.started = 0 and n.state = 'SUPERSEDED') as superseded,
        sum(n.started = 0 and (n.missing <> 0 or n.state = 'FAILED')) as not_found
    from runs n join releases l on l.serial = n.release_serial
    group by l.tour_id, l.site_id, l.revision_id, n.started_at / 86400000
) c
where (tour_days.tour_id, tour_days.site_id, tour_days.revision_id, tour_days.day)
    = (c.tour_id, c.site_id, c.revision_id, c.day);

drop trigger runs_counted_insert;
drop trigger runs_counted_update;
drop trigger counted_insert;
drop view counted;

-- Adds the values of a run to the counts, or subtracts them with the sign -1.
create view counted as
select 1 as sign, tour_id, site_id, revision_id, started_at, started, state, end_reason, seen, done, missing, buckets
from runs_of_releases;

create trigger counted_insert instead of insert on counted
begin
    insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open,
        with_gaps, stopped, not_found)
    values (new.tour_id, new.site_id, new.revision_id, new.started_at / 86400000, new.sign * new.started,
        new.sign * (new.state = 'COMPLETED'), new.sign * (new.state = 'DISMISSED' and new.end_reason is not 'PROGRAM'),
        new.sign * (new.started and new.state = 'FAILED'), new.sign * (new.started and new.state = 'SUPERSEDED'),
        new.sign * (new.started and new.state = 'ACTIVE'),
        new.sign * (new.state = 'COMPLETED' and new.missing & ~new.seen <> 0),
        new.sign * (new.state = 'DISMISSED' and new.end_reason is 'PROGRAM'),
        new.sign * (not new.started and (new.missing <> 0 or new.state = 'FAILED')))
    on conflict (tour_id, day, site_id, revision_id) do update set started = started + excluded.started,
        completed = completed + excluded.completed, dismissed = dismissed + excluded.dismissed,
        failed = failed + excluded.failed, superseded = superseded + excluded.superseded, open = open + excluded.open,
        with_gaps = with_gaps + excluded.with_gaps, stopped = stopped + excluded.stopped,
        not_found = not_found + excluded.not_found;
    insert into step_days (tour_day_id, step, seen, done, missing)
    select d.id, b.n, new.sign * (new.seen >> b.n & 1), new.sign * (new.done >> b.n & 1), new.sign * (new.missing >> b.n & 1)
    from tour_days d join bits b
    where d.tour_id = new.tour_id and d.day = new.started_at / 86400000 and d.site_id = new.site_id
        and d.revision_id = new.revision_id and (new.seen | new.done | new.missing) >> b.n & 1
    on conflict (tour_day_id, step) do update set seen = seen + excluded.seen, done = done + excluded.done,
        missing = missing + excluded.missing;
    insert into time_days (tour_day_id, step, bucket, runs)
    select d.id, b.key - 1, b.value, new.sign
    from tour_days d join json_each(new.buckets) b
    where d.tour_id = new.tour_id and d.day = new.started_at / 86400000 and d.site_id = new.site_id
        and d.revision_id = new.revision_id and b.value is not null
    on conflict (tour_day_id, step, bucket) do update set runs = runs + excluded.runs;
end;

create trigger runs_counted_insert after insert on runs
begin
    insert into counted
    select 1, tour_id, site_id, revision_id, new.started_at, new.started, new.state, new.end_reason, new.seen, new.done,
        new.missing, new.buckets
    from releases where serial = new.release_serial;
end;
create trigger runs_counted_update after update on runs
when (old.release_serial, old.started_at, old.started, old.state, old.end_reason, old.seen, old.done, old.missing, old.buckets)
    is not (new.release_serial, new.started_at, new.started, new.state, new.end_reason, new.seen, new.done, new.missing,
        new.buckets)
begin
    insert into counted
    select -1, tour_id, site_id, revision_id, old.started_at, old.started, old.state, old.end_reason, old.seen, old.done,
        old.missing, old.buckets
    from releases where serial = old.release_serial;
    insert into counted
    select 1, tour_id, site_id, revision_id, new.started_at, new.started, new.state, new.end_reason, new.seen, new.done,
        new.missing, new.buckets
    from releases where serial = new.release_serial;
end;

-- Adds an attempt to the counts, or subtracts it with the sign -1. As with runs, a deletion keeps the counts.
create view counted_attempts as
select 1 as sign, l.tour_id, l.site_id, l.revision_id, a.day, a.problem, a.step
from attempts a join releases l on l.serial = a.release_serial;

create trigger counted_attempts_insert instead of insert on counted_attempts
begin
    insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open,
        not_found, not_loaded)
    values (new.tour_id, new.site_id, new.revision_id, new.day, 0, 0, 0, 0, 0, 0, new.sign * (new.problem = 0),
        new.sign * (new.problem = 1))
    on conflict (tour_id, day, site_id, revision_id) do update set not_found = not_found + excluded.not_found,
        not_loaded = not_loaded + excluded.not_loaded;
    insert into step_days (tour_day_id, step, seen, done, missing, not_found)
    select d.id, new.step, 0, 0, 0, new.sign
    from tour_days d
    where d.tour_id = new.tour_id and d.day = new.day and d.site_id = new.site_id and d.revision_id = new.revision_id
        and new.problem = 0 and new.step is not null
    on conflict (tour_day_id, step) do update set not_found = not_found + excluded.not_found;
end;

create trigger attempts_counted_insert after insert on attempts when new.counted = 1
begin
    insert into counted_attempts
    select 1, tour_id, site_id, revision_id, new.day, new.problem, new.step
    from releases where serial = new.release_serial;
end;
create trigger attempts_counted_update after update on attempts
when (old.release_serial, old.step, old.counted) is not (new.release_serial, new.step, new.counted)
begin
    insert into counted_attempts
    select -1, tour_id, site_id, revision_id, old.day, old.problem, old.step
    from releases where serial = old.release_serial and old.counted = 1;
    insert into counted_attempts
    select 1, tour_id, site_id, revision_id, new.day, new.problem, new.step
    from releases where serial = new.release_serial and new.counted = 1;
end;
