-- The tables of migrations/0001_baseline.sql, which has their comments, for PostgreSQL. A test compares both, column by
-- column. Text is compared by bytes (collation C) like in SQLite, regardless of the server's locale. Booleans are 0 and
-- 1, and structured values are JSON as text. The fill factors leave room for updates in the same page, because these rows
-- are updated often.

-- SQLite functions that PostgreSQL lacks. All statements are written for SQLite and run on both databases.

create function json_each(text) returns table (key bigint, value text) language sql immutable parallel safe
    as $$ select at - 1, entry from json_array_elements_text($1::json) with ordinality as entries (entry, at) $$;

-- For rows with many columns. With the path '$', which also means the whole document in SQLite, each entry is parsed
-- once instead of once per column.
create function json_each(text, text) returns table (key bigint, value jsonb) language sql immutable parallel safe
    as $$ select at - 1, entry from jsonb_array_elements($1::jsonb) with ordinality as entries (entry, at) $$;

create function json_member(text, text) returns text language sql immutable strict parallel safe
    as $$ select $1::json ->> $2 $$;
create operator ->> (leftarg = text, rightarg = text, function = json_member);

create function json_entry(text, integer) returns text language sql immutable strict parallel safe
    as $$ select $1::json ->> $2 $$;
create operator ->> (leftarg = text, rightarg = integer, function = json_entry);

create function json_list(text[]) returns text language sql immutable parallel safe
    as $$ select array_to_json($1)::text $$;
create aggregate json_group_array(text) (sfunc = array_append, stype = text[], initcond = '{}', finalfunc = json_list);

create function json_pair(text[], text, text) returns text[] language sql immutable parallel safe
    as $$ select $1 || array[$2, $3] $$;
create function json_map(text[]) returns text language sql immutable parallel safe
    as $$ select json_object($1)::text $$;
create aggregate json_group_object(text, text) (sfunc = json_pair, stype = text[], initcond = '{}', finalfunc = json_map);

create function instr(text, text) returns integer language sql immutable strict parallel safe
    as $$ select strpos($1, $2) $$;
create function min(bigint, bigint) returns bigint language sql immutable parallel safe
    as $$ select least($1, $2) $$;
create function max(bigint, bigint) returns bigint language sql immutable parallel safe
    as $$ select greatest($1, $2) $$;

-- Not strict, so that PostgreSQL can inline it.
create function unhex(text, text) returns bytea language sql immutable parallel safe
    as $$ select case when replace($1, $2, '') ~ '^([0-9A-Fa-f]{2})*$' then decode(replace($1, $2, ''), 'hex') end $$;

-- Rejects a change with the message of the trigger.
create function refuse() returns trigger language plpgsql
    as $$ begin raise exception '%', tg_argv[0]; end $$;

create table readiness (
    id bigint primary key not null check (id = 1),
    checked_at bigint not null
);

create table nonce_key (
    id bigint primary key not null check (id = 1),
    key text not null
);

create table loaders (
    file text primary key not null,
    script text not null
);

create table accounts (
    id text collate "C" primary key,
    issuer text collate "C" not null,
    subject text collate "C" not null,
    name text collate "C" not null,
    email text collate "C",
    email_verified bigint not null default 0,
    picture text collate "C",
    created_at bigint not null,
    claims_at bigint
);
create unique index accounts_identity_key on accounts (issuer, subject);
create index accounts_email_idx on accounts (lower(email));

create table logouts (
    id bigint generated always as identity primary key,
    issuer text collate "C" not null,
    token_id text collate "C" not null,
    subject text collate "C",
    session text collate "C",
    issued_at bigint not null,
    expires_at bigint not null
);
create unique index logouts_token_key on logouts (issuer, token_id);

create table workspaces (
    id text collate "C" primary key,
    slug text collate "C" not null,
    name text collate "C" not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1,
    require_review bigint not null default 0,
    sample bigint not null default 0
);
create unique index workspaces_slug_key on workspaces (slug);

create table members (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    account_id text collate "C" not null references accounts (id),
    role text collate "C" not null constraint members_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    joined_at bigint not null
);
create unique index members_account_key on members (workspace_id, account_id);
create index members_of_account_idx on members (account_id);

create table claimed_roles (
    account_id text collate "C" not null references accounts (id),
    workspace_id text collate "C" not null references workspaces (id),
    role text collate "C" not null
        constraint claimed_roles_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    primary key (account_id, workspace_id)
);

create table invitations (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    email text collate "C" not null,
    role text collate "C" not null
        constraint invitations_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    token_hash text collate "C" not null,
    by_id text collate "C" not null references accounts (id),
    created_at bigint not null,
    expires_at bigint not null,
    state text collate "C" not null default 'PENDING'
        constraint invitations_state_check check (state in ('PENDING', 'ACCEPTED', 'REVOKED')),
    ended_by_id text collate "C" references accounts (id),
    ended_at bigint,
    constraint invitations_ended_check check ((state = 'PENDING') = (ended_at is null) and (state = 'PENDING') = (ended_by_id is null))
);
create unique index invitations_token_key on invitations (token_hash);
create unique index invitations_pending_key on invitations (workspace_id, email) where state = 'PENDING';
create index invitations_of_inviter_idx on invitations (by_id) where state = 'PENDING';

create table access_tokens (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    account_id text collate "C" not null references accounts (id),
    token_hash text collate "C" not null,
    by_id text collate "C" not null references accounts (id),
    created_at bigint not null,
    expires_at bigint not null,
    last_used_at bigint
);
create unique index access_tokens_token_key on access_tokens (token_hash);
create unique index access_tokens_account_key on access_tokens (account_id);
create index access_tokens_of_workspace_idx on access_tokens (workspace_id);

create table sites (
    serial bigint generated always as identity primary key,
    id text collate "C" not null constraint sites_id_key unique,
    workspace_id text collate "C" not null references workspaces (id),
    name text collate "C" not null,
    key text collate "C" not null,
    origins text collate "C" not null,
    allow_http bigint not null default 0,
    own bigint not null default 0,
    installed_at bigint,
    last_seen_at bigint,
    last_page text collate "C",
    identity_mode text collate "C" not null default 'OFF'
        constraint sites_identity_mode_check check (identity_mode in ('OFF', 'OPTIONAL', 'REQUIRED')),
    visitor_salt text collate "C" not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1,
    cooldown_hours bigint not null default 24 constraint sites_cooldown_check check (cooldown_hours >= 0)
);
create unique index sites_key_key on sites (key);
create unique index sites_own_key on sites (own) where own = 1;
create index sites_of_workspace_idx on sites (workspace_id);

create table identity_keys (
    id text collate "C" primary key,
    site_id text collate "C" not null references sites (id),
    algorithm text collate "C" not null constraint identity_keys_algorithm_check check (algorithm in ('HS256', 'EDDSA')),
    material text collate "C" not null,
    created_at bigint not null,
    last_used_at bigint
);
create index identity_keys_of_site_idx on identity_keys (site_id);

create table identity_days (
    site_id text collate "C" not null references sites (id),
    day bigint not null,
    identified bigint not null,
    verified bigint not null,
    primary key (site_id, day)
);

create table site_events (
    site_id text collate "C" not null references sites (id),
    name text collate "C" not null,
    last_at bigint not null,
    primary key (site_id, name)
);

create table themes (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    name text collate "C" not null,
    is_default bigint not null default 0,
    overlay_opacity double precision not null,
    stage_padding bigint not null,
    stage_radius bigint not null,
    popover_offset bigint not null,
    animation_ms bigint not null,
    overlay_color text collate "C" not null,
    -- Null takes the color from the page.
    accent_color text collate "C",
    popover_width bigint not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1
);
create unique index themes_default_key on themes (workspace_id) where is_default = 1;
create index themes_of_workspace_idx on themes (workspace_id);

create table segments (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    name text collate "C" not null,
    condition text collate "C" not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1
);
create index segments_of_workspace_idx on segments (workspace_id);

create table tours (
    serial bigint generated always as identity primary key,
    id text collate "C" not null constraint tours_id_key unique,
    workspace_id text collate "C" not null references workspaces (id),
    slug text collate "C" not null,
    title text collate "C" not null,
    archived_at bigint,
    created_at bigint not null,
    updated_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1
);
create unique index tours_slug_key on tours (workspace_id, slug);
create index tours_newest_idx on tours (workspace_id, updated_at, id);

create table revisions (
    id text collate "C" primary key,
    tour_id text collate "C" not null references tours (id),
    number bigint not null,
    state text collate "C" not null constraint revisions_state_check check (state in ('DRAFT', 'FROZEN')),
    steps text collate "C" not null,
    start text collate "C" not null,
    theme_id text collate "C",
    locales text collate "C" not null,
    author_id text collate "C" not null references accounts (id),
    frozen_at bigint,
    updated_at bigint not null,
    version bigint not null,
    in_review bigint not null default 0 constraint revisions_in_review_check check (in_review = 0 or state = 'DRAFT'),
    constraint revisions_frozen_check check ((state = 'FROZEN') = (frozen_at is not null))
);
create unique index revisions_number_key on revisions (tour_id, number);
create unique index revisions_draft_key on revisions (tour_id) where state = 'DRAFT';
create trigger revisions_frozen_update before update on revisions for each row when (old.state = 'FROZEN')
    execute function refuse('a frozen revision never changes');
create function revision_is_sample(tour text) returns boolean language sql stable
    as $$ select exists (select 1 from tours t join workspaces w on w.id = t.workspace_id
        where t.id = tour and w.sample = 1) $$;
create trigger revisions_frozen_delete before delete on revisions for each row
    when (old.state = 'FROZEN' and not revision_is_sample(old.tour_id))
    execute function refuse('a frozen revision never changes');
create trigger revisions_in_review_update before update of steps, start, theme_id, locales on revisions for each row
    when (old.in_review = 1) execute function refuse('a revision in review never changes');

create table reviews (
    id text collate "C" primary key,
    tour_id text collate "C" not null references tours (id),
    revision_id text collate "C" not null references revisions (id),
    state text collate "C" not null constraint reviews_state_check check (state in ('WAITING', 'RETURNED', 'RELEASED')),
    by_id text collate "C" not null references accounts (id),
    at bigint not null,
    note text collate "C",
    reviewer_id text collate "C" references accounts (id),
    ended_by_id text collate "C" references accounts (id),
    ended_at bigint,
    answer text collate "C",
    steps text collate "C",
    start text collate "C",
    theme_id text collate "C",
    locales text collate "C",
    constraint reviews_ended_check check ((state = 'WAITING') = (ended_at is null) and (state = 'WAITING') = (ended_by_id is null))
);
create unique index reviews_waiting_key on reviews (tour_id) where state = 'WAITING';
create index reviews_of_revision_idx on reviews (revision_id, at);

create table comments (
    id text collate "C" primary key,
    tour_id text collate "C" not null references tours (id),
    revision_id text collate "C" not null references revisions (id),
    step_key text collate "C",
    body text collate "C" not null,
    by_id text collate "C" not null references accounts (id),
    at bigint not null,
    resolved_by_id text collate "C" references accounts (id),
    resolved_at bigint,
    constraint comments_resolved_check check ((resolved_at is null) = (resolved_by_id is null))
);
create index comments_of_revision_idx on comments (revision_id, at);
create index comments_open_idx on comments (tour_id) where resolved_at is null;

create table comment_replies (
    id text collate "C" primary key,
    comment_id text collate "C" not null references comments (id),
    body text collate "C" not null,
    by_id text collate "C" not null references accounts (id),
    at bigint not null
);
create index comment_replies_of_comment_idx on comment_replies (comment_id, at);

create table releases (
    serial bigint generated always as identity primary key,
    id text collate "C" not null constraint releases_id_key unique,
    tour_id text collate "C" not null references tours (id),
    site_id text collate "C" not null references sites (id),
    revision_id text collate "C" not null references revisions (id),
    by_id text collate "C" not null references accounts (id),
    at bigint not null,
    ended_at bigint,
    note text collate "C",
    rollback_of_id text collate "C" references releases (id),
    rollout_percent bigint not null default 100
        constraint releases_rollout_check check (rollout_percent between 0 and 100),
    holdout_percent bigint not null default 0
        constraint releases_holdout_check check (holdout_percent between 0 and 50),
    goal text collate "C",
    starts_at bigint,
    ends_at bigint,
    paused_at bigint,
    runs_ended_at bigint
);
create unique index releases_live_key on releases (tour_id, site_id) where ended_at is null;
create index releases_of_tour_idx on releases (tour_id, site_id, at);
create index releases_of_site_idx on releases (site_id) where ended_at is null;
create index releases_of_revision_idx on releases (revision_id);
create index releases_goals_idx on releases (site_id, goal) where goal is not null;

create table release_changes (
    release_id text collate "C" not null references releases (id),
    at bigint not null,
    state text collate "C" not null constraint release_changes_state_check check (state in ('LIVE', 'PAUSED', 'ENDED')),
    by_id text collate "C" not null references accounts (id),
    note text collate "C",
    -- The order of insertion, like the rowid of SQLite.
    rowid bigint generated always as identity
);
create index release_changes_of_release_idx on release_changes (release_id, at);

create table visitors (
    serial bigint generated always as identity primary key,
    id bytea not null,
    site_serial bigint not null references sites (serial),
    external_id text collate "C",
    external_hash bigint,
    verified bigint not null default 0 constraint visitors_verified_check check (verified = 0 or external_id is not null),
    traits text collate "C" not null default '{}',
    locale text collate "C",
    first_seen_at bigint not null,
    last_seen_at bigint not null,
    last_page text collate "C",
    tester_id text collate "C" references accounts (id)
);
create unique index visitors_id_key on visitors (id);
create index visitors_external_idx on visitors (external_hash) where external_hash is not null;
create index visitors_newest_idx on visitors (site_serial, last_seen_at);

create view visitors_of_sites as
select v.*, s.id as site_id from visitors v join sites s on s.serial = v.site_serial;

create table visitor_resets (
    visitor_serial bigint not null references visitors (serial),
    tour_serial bigint not null references tours (serial),
    at bigint not null,
    primary key (visitor_serial, tour_serial)
);

create table bundles (
    hash text collate "C" not null,
    site_id text collate "C" not null references sites (id),
    body text collate "C" not null,
    unused_since bigint,
    primary key (hash, site_id)
);
create index bundles_of_site_idx on bundles (site_id);

create table browsers (
    hash bigint not null,
    anonymous_id text collate "C" not null,
    visitor_serial bigint not null references visitors (serial),
    linked_at bigint not null
);
create index browsers_hash_idx on browsers (hash);
create index browsers_of_visitor_idx on browsers (visitor_serial);

create table runs (
    id bytea primary key,
    tour_serial bigint not null references tours (serial),
    release_serial bigint not null references releases (serial),
    visitor_serial bigint not null references visitors (serial),
    started bigint not null,
    seen bigint not null,
    done bigint not null,
    missing bigint not null,
    started_at bigint not null,
    last_at bigint not null,
    ended_at bigint,
    end_reason text collate "C",
    active_ms bigint not null,
    last_seq bigint not null,
    state text collate "C" not null default 'ACTIVE'
        constraint runs_state_check check (state in ('ACTIVE', 'SUPERSEDED', 'FAILED', 'DISMISSED', 'COMPLETED')),
    position bigint,
    times bytea not null default '',
    buckets text collate "C" not null default '[]',
    events bytea not null default ''
) with (fillfactor = 80);
create index runs_of_tour_idx on runs (tour_serial, started_at);
create index runs_of_visitor_idx on runs (visitor_serial);
create index runs_active_idx on runs (tour_serial, last_at) where state = 'ACTIVE';

create view runs_of_releases as
select n.*, l.id as release_id, l.tour_id, l.site_id, l.revision_id
from runs n join releases l on l.serial = n.release_serial;

create table erased_runs (
    run_id bytea primary key,
    at bigint not null
);

create table audit_entries (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    at bigint not null,
    by_id text collate "C" not null references accounts (id),
    action text collate "C" not null,
    subject text collate "C" not null,
    changes text collate "C" not null
);
create index audit_entries_newest_idx on audit_entries (workspace_id, at, id);
create index audit_entries_of_actor_idx on audit_entries (workspace_id, by_id, at, id);
create trigger audit_entries_update before update on audit_entries for each row
    execute function refuse('an audit entry never changes');
create function workspace_is_sample(workspace text) returns boolean language sql stable
    as $$ select exists (select 1 from workspaces w where w.id = workspace and w.sample = 1) $$;
create trigger audit_entries_delete before delete on audit_entries for each row
    when (not workspace_is_sample(old.workspace_id))
    execute function refuse('an audit entry never changes');

-- Counts for insights, by day. Statement-level triggers count the runs once for all rows that a statement changes, so that
-- each count is updated once per statement and not once per row.

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

create table time_days (
    tour_day_id bigint not null references tour_days (id),
    step bigint not null,
    bucket bigint not null,
    runs integer not null,
    primary key (tour_day_id, step, bucket)
) with (fillfactor = 50);

-- Adds new rows to the counts, and subtracts old ones.
create function count_runs(added runs[], taken runs[]) returns void language plpgsql as $$
begin
    with changed as materialized (
        select c.*, l.tour_id, l.site_id, l.revision_id
        from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(taken)) c
        join releases l on l.serial = c.release_serial
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

create table goals (
    visitor_serial bigint not null references visitors (serial),
    event text collate "C" not null,
    at bigint not null,
    primary key (visitor_serial, event, at)
);

create table exposures (
    visitor_serial bigint not null references visitors (serial),
    release_serial bigint not null references releases (serial),
    holdout bigint not null,
    at bigint not null,
    reached bigint not null default 0,
    primary key (visitor_serial, release_serial)
);

create table lift_groups (
    release_serial bigint not null references releases (serial),
    holdout bigint not null,
    visitors bigint not null,
    reached bigint not null,
    primary key (release_serial, holdout)
) with (fillfactor = 50);

create function count_exposures(added exposures[], taken exposures[]) returns void language plpgsql as $$
begin
    insert into lift_groups (release_serial, holdout, visitors, reached)
    select release_serial, holdout, sum(sign), sum(sign * reached)
    from (select 1 as sign, * from unnest(added) union all select -1, * from unnest(taken)) changed
    group by release_serial, holdout having (sum(sign), sum(sign * reached)) <> (0, 0)
    on conflict (release_serial, holdout) do update set visitors = lift_groups.visitors + excluded.visitors,
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
