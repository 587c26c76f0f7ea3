-- The tables of migrations/ for PostgreSQL. A test compares both, column by column. Text is compared by bytes
-- (collation C) like in SQLite, regardless of the server's locale. Booleans are 0 and 1, and structured values are JSON
-- as text. Ids are UUIDs version 7 (RFC 9562) as text. Times are milliseconds since 1970 in UTC.

-- SQLite functions that PostgreSQL lacks. All statements are written for SQLite and run on both databases.

create function json_each(text) returns table (key bigint, value text) language sql immutable parallel safe
    as $$ select at - 1, entry from json_array_elements_text($1::json) with ordinality as entries (entry, at) $$;

create function json_member(text, text) returns text language sql immutable strict parallel safe
    as $$ select $1::json ->> $2 $$;
create operator ->> (leftarg = text, rightarg = text, function = json_member);

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

-- Rejects a change with the message of the trigger.
create function refuse() returns trigger language plpgsql
    as $$ begin raise exception '%', tg_argv[0]; end $$;

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

create table workspaces (
    id text collate "C" primary key,
    slug text collate "C" not null,
    name text collate "C" not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1,
    require_review bigint not null default 0
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

-- The claimed roles that were applied last, by workspace. A claim is applied only when it changes, so that later
-- changes by administrators are kept.
create table claimed_roles (
    account_id text collate "C" not null references accounts (id),
    workspace_id text collate "C" not null references workspaces (id),
    role text collate "C" not null
        constraint claimed_roles_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    primary key (account_id, workspace_id)
);

create table sites (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    name text collate "C" not null,
    key text collate "C" not null,
    -- A JSON array of serialized origins (RFC 6454).
    origins text collate "C" not null,
    own bigint not null default 0,
    installed_at bigint,
    last_seen_at bigint,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1,
    quiet_hours bigint not null default 24 constraint sites_quiet_hours_check check (quiet_hours >= 0)
);
create unique index sites_key_key on sites (key);
create unique index sites_own_key on sites (own) where own = 1;
create index sites_of_workspace_idx on sites (workspace_id);

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
    accent_color text collate "C" not null,
    popover_width bigint not null,
    created_at bigint not null,
    changed_by text collate "C" not null references accounts (id),
    version bigint not null default 1
);
create unique index themes_default_key on themes (workspace_id) where is_default = 1;
create index themes_of_workspace_idx on themes (workspace_id);

create table tours (
    id text collate "C" primary key,
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

-- The content of a tour at one time. The theme is not a foreign key: an unused theme can be deleted, and frozen
-- revisions that refer to it are kept unchanged and use the default theme.
create table revisions (
    id text collate "C" primary key,
    tour_id text collate "C" not null references tours (id),
    number bigint not null,
    state text collate "C" not null constraint revisions_state_check check (state in ('DRAFT', 'FROZEN')),
    steps text collate "C" not null,
    start text collate "C" not null,
    theme_id text collate "C",
    author_id text collate "C" not null references accounts (id),
    frozen_at bigint,
    updated_at bigint not null,
    version bigint not null,
    -- The state IN_REVIEW of the API is stored as DRAFT with this flag, because both are states of the tour's only
    -- draft.
    in_review bigint not null default 0 constraint revisions_in_review_check check (in_review = 0 or state = 'DRAFT'),
    constraint revisions_frozen_check check ((state = 'FROZEN') = (frozen_at is not null))
);
create unique index revisions_number_key on revisions (tour_id, number);
create unique index revisions_draft_key on revisions (tour_id) where state = 'DRAFT';
create trigger revisions_frozen_update before update on revisions for each row when (old.state = 'FROZEN')
    execute function refuse('a frozen revision never changes');
create trigger revisions_frozen_delete before delete on revisions for each row when (old.state = 'FROZEN')
    execute function refuse('a frozen revision never changes');
create trigger revisions_in_review_update before update of steps, start, theme_id on revisions for each row
    when (old.in_review = 1) execute function refuse('a revision in review never changes');

-- The release of a revision on a site, until it ends.
create table releases (
    id text collate "C" primary key,
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
    starts_at bigint,
    ends_at bigint,
    paused_at bigint,
    -- The time at which the active runs of the release were ended, with it or with a later release. They count as
    -- SUPERSEDED, including runs that are reported afterwards.
    runs_ended_at bigint
);
create unique index releases_live_key on releases (tour_id, site_id) where ended_at is null;
create index releases_of_tour_idx on releases (tour_id, site_id, at);
create index releases_of_site_idx on releases (site_id) where ended_at is null;
create index releases_of_revision_idx on releases (revision_id);

-- The state changes of a release: paused, resumed or ended, with account and note.
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

create table participants (
    id text collate "C" primary key,
    site_id text collate "C" not null references sites (id),
    external_id text collate "C",
    locale text collate "C",
    first_seen_at bigint not null,
    last_seen_at bigint not null,
    -- The account that tests as the visitor.
    tester_id text collate "C" references accounts (id)
);
create unique index participants_external_key on participants (site_id, external_id) where external_id is not null;
create index participants_of_site_idx on participants (site_id, last_seen_at);
create index participants_newest_idx on participants (site_id, last_seen_at, id);

-- The time of the last reset of a visitor and a tour. Offers ignore the runs that started before.
create table participant_resets (
    participant_id text collate "C" not null references participants (id),
    tour_id text collate "C" not null references tours (id),
    at bigint not null,
    primary key (participant_id, tour_id)
);

-- The visitor last seen in each browser, by the id that the browser keeps.
create table browsers (
    site_id text collate "C" not null references sites (id),
    anonymous_id text collate "C" not null,
    participant_id text collate "C" not null references participants (id),
    primary key (site_id, anonymous_id)
);
create index browsers_of_participant_idx on browsers (participant_id);

-- One run of one visitor, computed from its events. Each column is a join (bitwise or, maximum or minimum), so that
-- events can arrive twice, late and in any order. Bit n is step n of the revision.
create table runs (
    id text collate "C" primary key,
    site_id text collate "C" not null references sites (id),
    tour_id text collate "C" not null references tours (id),
    release_id text collate "C" not null references releases (id),
    revision_id text collate "C" not null references revisions (id),
    participant_id text collate "C" not null references participants (id),
    -- 1 if a step was shown.
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
    -- The active time in milliseconds at which each step was first shown and first completed, see src/run/times.rs.
    times text collate "C" not null default '{"shown":[],"finished":[]}',
    -- The buckets of the run and of its steps in the histograms: a JSON array, starting with the whole run.
    buckets text collate "C" not null default '[]'
) with (fillfactor = 80);
create index runs_of_tour_idx on runs (tour_id, started_at, id);
create index runs_of_participant_idx on runs (participant_id, tour_id);
create index runs_inside_idx on runs (tour_id, site_id, last_at) where state = 'ACTIVE';
create index runs_lately_idx on runs (tour_id, last_at) where state = 'ACTIVE' and started = 1;

-- The runs of erased visitors, without any reference to them. Later events of these runs are rejected, so that they are
-- not restored. Rows are kept for the maximum age of events.
create table erased_runs (
    run_id text collate "C" primary key,
    at bigint not null
);

-- The events as reported. The primary key identifies repeated events.
create table events (
    run_id text collate "C" not null references runs (id),
    seq bigint not null,
    kind text collate "C" not null,
    step_key text collate "C",
    at bigint not null,
    received_at bigint not null,
    active_ms bigint not null,
    reason text collate "C",
    primary key (run_id, seq)
);

create table audit_entries (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    at bigint not null,
    by_id text collate "C" not null references accounts (id),
    action text collate "C" not null,
    subject text collate "C" not null,
    -- A JSON array of {field, before, after}.
    changes text collate "C" not null
);
create index audit_entries_newest_idx on audit_entries (workspace_id, at, id);
create trigger audit_entries_update before update on audit_entries for each row
    execute function refuse('an audit entry never changes');
create trigger audit_entries_delete before delete on audit_entries for each row
    execute function refuse('an audit entry never changes');

create table reviews (
    id text collate "C" primary key,
    tour_id text collate "C" not null references tours (id),
    revision_id text collate "C" not null references revisions (id),
    state text collate "C" not null constraint reviews_state_check check (state in ('WAITING', 'RETURNED', 'RELEASED')),
    by_id text collate "C" not null references accounts (id),
    at bigint not null,
    note text collate "C",
    ended_by_id text collate "C" references accounts (id),
    ended_at bigint,
    answer text collate "C",
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
