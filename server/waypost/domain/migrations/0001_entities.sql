-- The entities of Waypost. Ids are UUIDs version 7 (RFC 9562) as text. Times are milliseconds since 1970 in UTC.
-- The names of unique indexes are API: constants in Rust map their violations to errors, and a test compares both.

create table accounts (
    id text primary key not null,
    issuer text not null,
    subject text not null,
    name text not null,
    email text,
    email_verified integer not null default 0,
    picture text,
    -- The claimed role that was applied last. A claim is applied only when it changes, so that later changes by
    -- administrators are kept.
    claimed_role text,
    created_at integer not null
) strict;
create unique index accounts_identity_key on accounts (issuer, subject);
create index accounts_email_idx on accounts (lower(email));

create table workspaces (
    id text primary key not null,
    slug text not null,
    name text not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index workspaces_slug_key on workspaces (slug);

create table members (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    account_id text not null references accounts (id),
    role text not null constraint members_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    joined_at integer not null
) strict;
create unique index members_account_key on members (workspace_id, account_id);
create index members_of_account_idx on members (account_id);

create table sites (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    name text not null,
    key text not null,
    -- A JSON array of serialized origins (RFC 6454).
    origins text not null,
    own integer not null default 0,
    installed_at integer,
    last_seen_at integer,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index sites_key_key on sites (key);
create unique index sites_own_key on sites (own) where own = 1;
create index sites_of_workspace_idx on sites (workspace_id);

create table themes (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    name text not null,
    is_default integer not null default 0,
    overlay_opacity real not null,
    stage_padding integer not null,
    stage_radius integer not null,
    popover_offset integer not null,
    animation_ms integer not null,
    overlay_color text not null,
    accent_color text not null,
    popover_width integer not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index themes_default_key on themes (workspace_id) where is_default = 1;
create index themes_of_workspace_idx on themes (workspace_id);

create table tours (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    slug text not null,
    title text not null,
    archived_at integer,
    created_at integer not null,
    updated_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index tours_slug_key on tours (workspace_id, slug);
create index tours_newest_idx on tours (workspace_id, updated_at, id);

-- The content of a tour at one time. The theme is not a foreign key: an unused theme can be deleted, and frozen
-- revisions that refer to it are kept unchanged and use the default theme.
create table revisions (
    id text primary key not null,
    tour_id text not null references tours (id),
    number integer not null,
    state text not null constraint revisions_state_check check (state in ('DRAFT', 'FROZEN')),
    steps text not null,
    start text not null,
    theme_id text,
    author_id text not null references accounts (id),
    frozen_at integer,
    updated_at integer not null,
    version integer not null,
    constraint revisions_frozen_check check ((state = 'FROZEN') = (frozen_at is not null))
) strict;
create unique index revisions_number_key on revisions (tour_id, number);
create unique index revisions_draft_key on revisions (tour_id) where state = 'DRAFT';

create trigger revisions_frozen_update before update on revisions when old.state = 'FROZEN'
begin
    select raise(abort, 'a frozen revision never changes');
end;
create trigger revisions_frozen_delete before delete on revisions when old.state = 'FROZEN'
begin
    select raise(abort, 'a frozen revision never changes');
end;

-- The release of a revision on a site, until it ends.
create table releases (
    id text primary key not null,
    tour_id text not null references tours (id),
    site_id text not null references sites (id),
    revision_id text not null references revisions (id),
    by_id text not null references accounts (id),
    at integer not null,
    ended_at integer,
    note text,
    rollback_of_id text references releases (id)
) strict;
create unique index releases_live_key on releases (tour_id, site_id) where ended_at is null;
create index releases_of_tour_idx on releases (tour_id, site_id, at);
create index releases_of_site_idx on releases (site_id) where ended_at is null;
create index releases_of_revision_idx on releases (revision_id);

create table participants (
    id text primary key not null,
    site_id text not null references sites (id),
    external_id text,
    locale text,
    first_seen_at integer not null,
    last_seen_at integer not null
) strict;
create unique index participants_external_key on participants (site_id, external_id) where external_id is not null;

-- The visitor last seen in each browser, by the id that the browser keeps.
create table browsers (
    site_id text not null references sites (id),
    anonymous_id text not null,
    participant_id text not null references participants (id),
    primary key (site_id, anonymous_id)
) strict, without rowid;
create index browsers_of_participant_idx on browsers (participant_id);

-- One run of one visitor, computed from its events. Each column is a join (bitwise or, maximum or minimum), so that
-- events can arrive twice, late and in any order. Bit n is step n of the revision.
create table runs (
    id text primary key not null,
    site_id text not null references sites (id),
    tour_id text not null references tours (id),
    release_id text not null references releases (id),
    revision_id text not null references revisions (id),
    participant_id text not null references participants (id),
    state text not null
        constraint runs_state_check check (state in ('ACTIVE', 'FAILED', 'DISMISSED', 'COMPLETED')),
    -- 1 if a step was shown.
    started integer not null,
    seen integer not null,
    done integer not null,
    missing integer not null,
    started_at integer not null,
    last_at integer not null,
    ended_at integer,
    end_reason text,
    active_ms integer not null,
    last_seq integer not null
) strict;
create index runs_of_tour_idx on runs (tour_id, started_at, id);
create index runs_of_participant_idx on runs (participant_id, tour_id);

-- The events as reported. The primary key identifies repeated events.
create table events (
    run_id text not null references runs (id),
    seq integer not null,
    kind text not null,
    step_key text,
    at integer not null,
    received_at integer not null,
    active_ms integer not null,
    reason text,
    primary key (run_id, seq)
) strict, without rowid;

create table audit_entries (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    at integer not null,
    by_id text not null references accounts (id),
    action text not null,
    subject text not null,
    -- A JSON array of {field, before, after}.
    changes text not null
) strict;
create index audit_entries_newest_idx on audit_entries (workspace_id, at, id);

create trigger audit_entries_update before update on audit_entries
begin
    select raise(abort, 'an audit entry never changes');
end;
create trigger audit_entries_delete before delete on audit_entries
begin
    select raise(abort, 'an audit entry never changes');
end;
