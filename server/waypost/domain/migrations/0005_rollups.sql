-- Counts for insights, by day. Triggers add the difference between the old and the new row of a run, so that the counts
-- are exact regardless of how runs change. The erasure of a visitor deletes the runs and keeps the counts.

-- The active time in milliseconds at which each step was first shown and first completed, see src/run/times.rs.
alter table runs add column times text not null default '{"shown":[],"finished":[]}';
-- The buckets of the run and of its steps in the histograms: a JSON array, starting with the whole run.
alter table runs add column buckets text not null default '[]';
create index runs_lately_idx on runs (tour_id, last_at) where state = 'ACTIVE' and started = 1;

-- The indices of the bits of a run.
create table bits (n integer primary key not null) strict;
insert into bits with recursive up (n) as (select 0 union all select n + 1 from up where n < 62) select n from up;

-- The runs of one revision on one site that started on one day, in days since 1970-01-01 in UTC.
create table tour_days (
    id integer primary key not null,
    tour_id text not null references tours (id),
    site_id text not null references sites (id),
    revision_id text not null references revisions (id),
    day integer not null,
    started integer not null,
    completed integer not null,
    dismissed integer not null,
    failed integer not null,
    superseded integer not null,
    -- Started and not ended: active or abandoned.
    open integer not null
) strict;
create unique index tour_days_key on tour_days (tour_id, day, site_id, revision_id);

create table step_days (
    tour_day_id integer not null references tour_days (id),
    step integer not null,
    seen integer not null,
    done integer not null,
    missing integer not null,
    primary key (tour_day_id, step)
) strict, without rowid;

-- Histograms of durations: the number of runs per bucket. Step -1 stands for whole completed runs.
create table time_days (
    tour_day_id integer not null references tour_days (id),
    step integer not null,
    bucket integer not null,
    runs integer not null,
    primary key (tour_day_id, step, bucket)
) strict, without rowid;

-- Adds the values of a run to the counts, or subtracts them with the sign -1.
create view counted as
select 1 as sign, tour_id, site_id, revision_id, started_at, started, state, seen, done, missing, buckets from runs;

create trigger counted_insert instead of insert on counted
begin
    insert into tour_days (tour_id, site_id, revision_id, day, started, completed, dismissed, failed, superseded, open)
    values (new.tour_id, new.site_id, new.revision_id, new.started_at / 86400000, new.sign * new.started,
        new.sign * (new.state = 'COMPLETED'), new.sign * (new.state = 'DISMISSED'), new.sign * (new.state = 'FAILED'),
        new.sign * (new.state = 'SUPERSEDED'), new.sign * (new.started and new.state = 'ACTIVE'))
    on conflict (tour_id, day, site_id, revision_id) do update set started = started + excluded.started,
        completed = completed + excluded.completed, dismissed = dismissed + excluded.dismissed,
        failed = failed + excluded.failed, superseded = superseded + excluded.superseded, open = open + excluded.open;
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

-- Counts the existing runs, with the durations computed from their events.
update runs set times = json_object(
    'shown', json((select json_group_array(json_array(place, ms)) from (
        select s.key as place, min(e.active_ms) as ms
        from events e join revisions r on r.id = runs.revision_id join json_each(r.steps) s on s.value ->> 'key' = e.step_key
        where e.run_id = runs.id and e.kind in ('RUN_STARTED', 'STEP_SEEN') group by s.key))),
    'finished', json((select json_group_array(json_array(place, ms)) from (
        select s.key as place, min(e.active_ms) as ms
        from events e join revisions r on r.id = runs.revision_id join json_each(r.steps) s on s.value ->> 'key' = e.step_key
        where e.run_id = runs.id and e.kind = 'STEP_DONE' group by s.key))));
update runs set buckets = (
    with took (step, ms) as (
        select -1, runs.active_ms where runs.state = 'COMPLETED'
        union all
        select s.value ->> 0, (f.value ->> 1) - (s.value ->> 1)
        from json_each(runs.times, '$.shown') s join json_each(runs.times, '$.finished') f on f.value ->> 0 = s.value ->> 0
        where f.value ->> 1 >= s.value ->> 1
    ), cut (step, ms, shift) as (
        select step, ms, (select max(n) from bits where ms >> n > 0) - 3 from took
    )
    select json_group_array((select iif(ms < 16, ms, 8 * shift + (ms >> shift)) from cut where step = n - 1))
    from (select n from bits where n <= (select max(step) + 1 from took) order by n));
insert into counted
select 1, tour_id, site_id, revision_id, started_at, started, state, seen, done, missing, buckets from runs;

create trigger runs_counted_insert after insert on runs
begin
    insert into counted values (1, new.tour_id, new.site_id, new.revision_id, new.started_at, new.started, new.state,
        new.seen, new.done, new.missing, new.buckets);
end;
create trigger runs_counted_update after update on runs
when (old.tour_id, old.site_id, old.revision_id, old.started_at, old.started, old.state, old.seen, old.done, old.missing,
        old.buckets)
    is not (new.tour_id, new.site_id, new.revision_id, new.started_at, new.started, new.state, new.seen, new.done,
        new.missing, new.buckets)
begin
    insert into counted values (-1, old.tour_id, old.site_id, old.revision_id, old.started_at, old.started, old.state,
        old.seen, old.done, old.missing, old.buckets);
    insert into counted values (1, new.tour_id, new.site_id, new.revision_id, new.started_at, new.started, new.state,
        new.seen, new.done, new.missing, new.buckets);
end;
