-- The tables of Waypost. Ids are UUIDs version 7 (RFC 9562) as text. Times are milliseconds since 1970 in UTC.
--
-- Rows that pages create are short, because anyone can send them: they refer to sites, tours, releases and visitors by a
-- serial number, the ids of visitors and runs have 16 bytes (`unhex(id, '-')`), and long texts are indexed by a hash.
--
-- The names of unique indexes are API: constants in Rust map their violations to errors, and a test compares both.

-- One row, which the readiness check writes.
create table readiness (
    id integer primary key not null check (id = 1),
    checked_at integer not null
) strict;

-- One row: the key of the nonces for DPoP proofs, which all processes must share.
create table nonce_key (
    id integer primary key not null check (id = 1),
    key text not null
) strict;

-- The loaders of all versions that have run, because pages with a pinned version load that of an earlier one.
create table loaders (
    file text primary key not null,
    script text not null
) strict;

create table accounts (
    id text primary key not null,
    issuer text not null,
    subject text not null,
    name text not null,
    email text,
    email_verified integer not null default 0,
    picture text,
    created_at integer not null,
    -- The issue time of the token whose claims were applied last, in seconds since 1970. Claims of older tokens are
    -- ignored.
    claims_at integer
) strict;
create unique index accounts_identity_key on accounts (issuer, subject);
create index accounts_email_idx on accounts (lower(email));

-- Sign-outs, as long as tokens of the ended sessions may be valid. Ids are never reused, so that processes find new rows
-- by them.
create table logouts (
    id integer primary key autoincrement not null,
    issuer text not null,
    -- The id of the provider's logout token, which is accepted once, or of the access token that was signed out.
    token_id text not null,
    subject text,
    -- Null if all sessions of the subject or only one token ended.
    session text,
    -- In seconds since 1970, like the claims of tokens.
    issued_at integer not null,
    expires_at integer not null
) strict;
create unique index logouts_token_key on logouts (issuer, token_id);

create table workspaces (
    id text primary key not null,
    slug text not null,
    name text not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1,
    -- 1 if only revisions in review can be released.
    require_review integer not null default 0,
    -- 1 for the sample workspace, whose frozen revisions and audit entries can be deleted.
    sample integer not null default 0
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

-- The claimed roles that were applied last, by workspace. A claim is applied only when it changes, so that later
-- changes by administrators are kept.
create table claimed_roles (
    account_id text not null references accounts (id),
    workspace_id text not null references workspaces (id),
    role text not null constraint claimed_roles_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    primary key (account_id, workspace_id)
) strict, without rowid;

-- Invitations to a workspace. An expired invitation is stored as PENDING, because its expiry follows from the time.
create table invitations (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    -- In lower case.
    email text not null,
    role text not null constraint invitations_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    -- The SHA-256 of the secret in the link. The secret itself is not stored.
    token_hash text not null,
    by_id text not null references accounts (id),
    created_at integer not null,
    expires_at integer not null,
    state text not null default 'PENDING'
        constraint invitations_state_check check (state in ('PENDING', 'ACCEPTED', 'REVOKED')),
    ended_by_id text references accounts (id),
    ended_at integer,
    constraint invitations_ended_check check ((state = 'PENDING') = (ended_at is null) and (state = 'PENDING') = (ended_by_id is null))
) strict;
create unique index invitations_token_key on invitations (token_hash);
create unique index invitations_pending_key on invitations (workspace_id, email) where state = 'PENDING';
create index invitations_of_inviter_idx on invitations (by_id) where state = 'PENDING';

-- Secrets with which programs call Waypost. Each has an account of the issuer `urn:waypost:token` with the name, which is a
-- member of the workspace with the role.
create table access_tokens (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    account_id text not null references accounts (id),
    -- The SHA-256 of the secret.
    token_hash text not null,
    by_id text not null references accounts (id),
    created_at integer not null,
    expires_at integer not null,
    last_used_at integer
) strict;
create unique index access_tokens_token_key on access_tokens (token_hash);
create unique index access_tokens_account_key on access_tokens (account_id);
create index access_tokens_of_workspace_idx on access_tokens (workspace_id);

create table sites (
    serial integer primary key not null,
    id text not null,
    workspace_id text not null references workspaces (id),
    name text not null,
    key text not null,
    -- A JSON array of serialized origins (RFC 6454).
    origins text not null,
    -- 1 if origins may use http on hosts that are not loopback.
    allow_http integer not null default 0,
    own integer not null default 0,
    installed_at integer,
    last_seen_at integer,
    last_page text,
    identity_mode text not null default 'OFF'
        constraint sites_identity_mode_check check (identity_mode in ('OFF', 'OPTIONAL', 'REQUIRED')),
    -- The ids of visitors without a row are derived from this secret. Each erasure replaces it.
    visitor_salt text not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1,
    -- The cooldown: the hours for which no other tour starts automatically after one did.
    cooldown_hours integer not null default 24 constraint sites_cooldown_check check (cooldown_hours >= 0)
) strict;
create unique index sites_id_key on sites (id);
create unique index sites_key_key on sites (key);
create unique index sites_own_key on sites (own) where own = 1;
create index sites_of_workspace_idx on sites (workspace_id);

-- The keys that verify identity tokens.
create table identity_keys (
    id text primary key not null,
    site_id text not null references sites (id),
    algorithm text not null constraint identity_keys_algorithm_check check (algorithm in ('HS256', 'EDDSA')),
    -- The secret of an HS256 key, or the parameter x of the JWK of an EDDSA key.
    material text not null,
    created_at integer not null,
    last_used_at integer
) strict;
create index identity_keys_of_site_idx on identity_keys (site_id);

-- The visits of the last days with an external id, and those of them with a valid token.
create table identity_days (
    site_id text not null references sites (id),
    -- In days since 1970.
    day integer not null,
    identified integer not null,
    verified integer not null,
    primary key (site_id, day)
) strict, without rowid;

-- The events that pages of a site report, which can be chosen for goals and rules.
create table site_events (
    site_id text not null references sites (id),
    name text not null,
    last_at integer not null,
    primary key (site_id, name)
) strict, without rowid;

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
    -- Null takes the color from the page.
    accent_color text,
    popover_width integer not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index themes_default_key on themes (workspace_id) where is_default = 1;
create index themes_of_workspace_idx on themes (workspace_id);

-- Named conditions on visitors. The condition has no test of the page or of another segment.
create table segments (
    id text primary key not null,
    workspace_id text not null references workspaces (id),
    name text not null,
    condition text not null,
    created_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create index segments_of_workspace_idx on segments (workspace_id);

create table tours (
    serial integer primary key not null,
    id text not null,
    workspace_id text not null references workspaces (id),
    slug text not null,
    title text not null,
    archived_at integer,
    created_at integer not null,
    updated_at integer not null,
    changed_by text not null references accounts (id),
    version integer not null default 1
) strict;
create unique index tours_id_key on tours (id);
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
    -- A JSON array of language tags. The first one is that of the steps.
    locales text not null,
    author_id text not null references accounts (id),
    frozen_at integer,
    updated_at integer not null,
    version integer not null,
    -- The state IN_REVIEW of the API is stored as DRAFT with this flag, because both are states of the tour's only
    -- draft.
    in_review integer not null default 0 constraint revisions_in_review_check check (in_review = 0 or state = 'DRAFT'),
    constraint revisions_frozen_check check ((state = 'FROZEN') = (frozen_at is not null))
) strict;
create unique index revisions_number_key on revisions (tour_id, number);
create unique index revisions_draft_key on revisions (tour_id) where state = 'DRAFT';

create trigger revisions_frozen_update before update on revisions when old.state = 'FROZEN'
begin
    select raise(abort, 'a frozen revision never changes');
end;
create trigger revisions_frozen_delete before delete on revisions when old.state = 'FROZEN' and not exists (
    select 1 from tours t join workspaces w on w.id = t.workspace_id where t.id = old.tour_id and w.sample = 1)
begin
    select raise(abort, 'a frozen revision never changes');
end;
create trigger revisions_in_review_update before update of steps, start, theme_id, locales on revisions when old.in_review = 1
begin
    select raise(abort, 'a revision in review never changes');
end;

create table reviews (
    id text primary key not null,
    tour_id text not null references tours (id),
    revision_id text not null references revisions (id),
    state text not null constraint reviews_state_check check (state in ('WAITING', 'RETURNED', 'RELEASED')),
    by_id text not null references accounts (id),
    at integer not null,
    note text,
    -- Cleared while the review waits if the member can no longer approve it.
    reviewer_id text references accounts (id),
    ended_by_id text references accounts (id),
    ended_at integer,
    answer text,
    -- The reviewed content, stored when a review ends, because the draft can change afterwards. Null while a review
    -- waits. The theme is not a foreign key, as in revisions.
    steps text,
    start text,
    theme_id text,
    locales text,
    constraint reviews_ended_check check ((state = 'WAITING') = (ended_at is null) and (state = 'WAITING') = (ended_by_id is null))
) strict;
create unique index reviews_waiting_key on reviews (tour_id) where state = 'WAITING';
create index reviews_of_revision_idx on reviews (revision_id, at);

create table comments (
    id text primary key not null,
    tour_id text not null references tours (id),
    revision_id text not null references revisions (id),
    step_key text,
    body text not null,
    by_id text not null references accounts (id),
    at integer not null,
    resolved_by_id text references accounts (id),
    resolved_at integer,
    constraint comments_resolved_check check ((resolved_at is null) = (resolved_by_id is null))
) strict;
create index comments_of_revision_idx on comments (revision_id, at);
create index comments_open_idx on comments (tour_id) where resolved_at is null;

create table comment_replies (
    id text primary key not null,
    comment_id text not null references comments (id),
    body text not null,
    by_id text not null references accounts (id),
    at integer not null
) strict;
create index comment_replies_of_comment_idx on comment_replies (comment_id, at);

-- The release of a revision on a site, until it ends.
create table releases (
    serial integer primary key not null,
    id text not null,
    tour_id text not null references tours (id),
    site_id text not null references sites (id),
    revision_id text not null references revisions (id),
    by_id text not null references accounts (id),
    at integer not null,
    ended_at integer,
    note text,
    rollback_of_id text references releases (id),
    rollout_percent integer not null default 100
        constraint releases_rollout_check check (rollout_percent between 0 and 100),
    holdout_percent integer not null default 0
        constraint releases_holdout_check check (holdout_percent between 0 and 50),
    goal text,
    starts_at integer,
    ends_at integer,
    paused_at integer,
    -- The time at which the active runs of the release were ended, with it or with a later release. They count as
    -- SUPERSEDED, including runs that are reported afterwards.
    runs_ended_at integer
) strict;
create unique index releases_id_key on releases (id);
create unique index releases_live_key on releases (tour_id, site_id) where ended_at is null;
create index releases_of_tour_idx on releases (tour_id, site_id, at);
create index releases_of_site_idx on releases (site_id) where ended_at is null;
create index releases_of_revision_idx on releases (revision_id);
create index releases_goals_idx on releases (site_id, goal) where goal is not null;

-- The state changes of a release: paused, resumed or ended, with account and note.
create table release_changes (
    release_id text not null references releases (id),
    at integer not null,
    state text not null constraint release_changes_state_check check (state in ('LIVE', 'PAUSED', 'ENDED')),
    by_id text not null references accounts (id),
    note text
) strict;
create index release_changes_of_release_idx on release_changes (release_id, at);

create table visitors (
    serial integer primary key not null,
    id blob not null,
    site_serial integer not null references sites (serial),
    external_id text,
    -- Of the site, the external id, and whether it is verified.
    external_hash integer,
    -- 1 if a token proved the external id. A declared and a verified visitor can have the same external id.
    verified integer not null default 0 constraint visitors_verified_check check (verified = 0 or external_id is not null),
    -- A JSON object of traits: `{"plan": ["pro"], "role": "buyer"}`. Those of an identity token are in brackets.
    traits text not null default '{}',
    locale text,
    first_seen_at integer not null,
    last_seen_at integer not null,
    last_page text,
    -- The account that tests as the visitor.
    tester_id text references accounts (id)
) strict;
create unique index visitors_id_key on visitors (id);
create index visitors_external_idx on visitors (external_hash) where external_hash is not null;
create index visitors_newest_idx on visitors (site_serial, last_seen_at);

create view visitors_of_sites as
select v.*, s.id as site_id from visitors v join sites s on s.serial = v.site_serial;

-- The time of the last reset of a visitor and a tour. Offers ignore the runs that started before.
create table visitor_resets (
    visitor_serial integer not null references visitors (serial),
    tour_serial integer not null references tours (serial),
    at integer not null,
    primary key (visitor_serial, tour_serial)
) strict, without rowid;

-- The content of released tours as pages load it, by its SHA-256. Kept after a release ends, because pages that booted
-- before still load it.
create table bundles (
    hash text not null,
    site_id text not null references sites (id),
    body text not null,
    -- The time since which no release has used the bundle.
    unused_since integer,
    primary key (hash, site_id)
) strict, without rowid;
create index bundles_of_site_idx on bundles (site_id);

-- The visitor last seen in each browser, by the id that the browser keeps.
create table browsers (
    -- Of the site and the anonymous id.
    hash integer not null,
    anonymous_id text not null,
    visitor_serial integer not null references visitors (serial),
    -- The time since which the browser belongs to the visitor.
    linked_at integer not null
) strict;
create index browsers_hash_idx on browsers (hash);
create index browsers_of_visitor_idx on browsers (visitor_serial);

-- One run of one visitor, computed from its events. Each column is a join (bitwise or, maximum or minimum), so that
-- events can arrive twice, late and in any order. Bit n is step n of the revision.
create table runs (
    id blob primary key not null,
    -- That of the release, for the indexes.
    tour_serial integer not null references tours (serial),
    release_serial integer not null references releases (serial),
    visitor_serial integer not null references visitors (serial),
    state text not null default 'ACTIVE'
        constraint runs_state_check check (state in ('ACTIVE', 'SUPERSEDED', 'FAILED', 'DISMISSED', 'COMPLETED')),
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
    last_seq integer not null,
    -- The position: seq * 128 + step * 2 + completed, of the last event that shows or completes a step.
    position integer,
    -- The active time in milliseconds at which each step was first shown and first completed, see src/run/times.rs.
    times blob not null default x'',
    -- The buckets of the run and of its steps in the histograms: a JSON array, starting with the whole run.
    buckets text not null default '[]',
    -- The events as reported, see src/run/kept_events.rs.
    events blob not null default x''
) strict;
create index runs_of_tour_idx on runs (tour_serial, started_at);
create index runs_of_visitor_idx on runs (visitor_serial);
create index runs_active_idx on runs (tour_serial, last_at) where state = 'ACTIVE';

create view runs_of_releases as
select n.*, l.id as release_id, l.tour_id, l.site_id, l.revision_id
from runs n join releases l on l.serial = n.release_serial;

-- The runs of erased visitors, without any reference to them. Later events of these runs are rejected, so that they are
-- not restored. Rows are kept for the maximum age of events.
create table erased_runs (
    run_id blob primary key not null,
    at integer not null
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
create index audit_entries_of_actor_idx on audit_entries (workspace_id, by_id, at, id);

create trigger audit_entries_update before update on audit_entries
begin
    select raise(abort, 'an audit entry never changes');
end;
create trigger audit_entries_delete before delete on audit_entries when not exists (
    select 1 from workspaces w where w.id = old.workspace_id and w.sample = 1)
begin
    select raise(abort, 'an audit entry never changes');
end;

-- Counts for insights, by day. Triggers add the difference between the old and the new row of a run, so that the counts
-- are exact regardless of how runs change. The erasure of a visitor deletes the runs and keeps the counts.

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
select 1 as sign, tour_id, site_id, revision_id, started_at, started, state, seen, done, missing, buckets
from runs_of_releases;

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

create trigger runs_counted_insert after insert on runs
begin
    insert into counted
    select 1, tour_id, site_id, revision_id, new.started_at, new.started, new.state, new.seen, new.done, new.missing,
        new.buckets
    from releases where serial = new.release_serial;
end;
create trigger runs_counted_update after update on runs
when (old.release_serial, old.started_at, old.started, old.state, old.seen, old.done, old.missing, old.buckets)
    is not (new.release_serial, new.started_at, new.started, new.state, new.seen, new.done, new.missing, new.buckets)
begin
    insert into counted
    select -1, tour_id, site_id, revision_id, old.started_at, old.started, old.state, old.seen, old.done, old.missing,
        old.buckets
    from releases where serial = old.release_serial;
    insert into counted
    select 1, tour_id, site_id, revision_id, new.started_at, new.started, new.state, new.seen, new.done, new.missing,
        new.buckets
    from releases where serial = new.release_serial;
end;

-- The reported events that are goals.
create table goals (
    visitor_serial integer not null references visitors (serial),
    event text not null,
    at integer not null,
    primary key (visitor_serial, event, at)
) strict, without rowid;

-- The first visit at which a visitor was eligible for a release, apart from the holdout.
create table exposures (
    visitor_serial integer not null references visitors (serial),
    release_serial integer not null references releases (serial),
    holdout integer not null,
    at integer not null,
    -- 1 if the visitor completed the goal of the release afterwards.
    reached integer not null default 0,
    primary key (visitor_serial, release_serial)
) strict, without rowid;

-- The number of exposures and completed goals per group. The erasure of a visitor keeps it.
create table lift_groups (
    release_serial integer not null references releases (serial),
    holdout integer not null,
    visitors integer not null,
    reached integer not null,
    primary key (release_serial, holdout)
) strict, without rowid;

create trigger exposures_counted_insert after insert on exposures
begin
    insert into lift_groups (release_serial, holdout, visitors, reached) values (new.release_serial, new.holdout, 1, new.reached)
    on conflict (release_serial, holdout) do update set visitors = visitors + 1, reached = reached + excluded.reached;
end;
create trigger exposures_counted_update after update on exposures
when old.holdout <> new.holdout or old.reached <> new.reached
begin
    update lift_groups set visitors = visitors - 1, reached = reached - old.reached
    where release_serial = old.release_serial and holdout = old.holdout;
    insert into lift_groups (release_serial, holdout, visitors, reached) values (new.release_serial, new.holdout, 1, new.reached)
    on conflict (release_serial, holdout) do update set visitors = visitors + 1, reached = reached + excluded.reached;
end;
create trigger exposures_counted_delete after delete on exposures
begin
    update lift_groups set visitors = visitors - 1, reached = reached - old.reached
    where release_serial = old.release_serial and holdout = old.holdout;
end;
