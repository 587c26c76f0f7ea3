-- Reviews and comments.

-- 1 if only revisions in review can be released.
alter table workspaces add column require_review integer not null default 0;

-- The state IN_REVIEW of the API is stored as DRAFT with this flag, because both are states of the tour's only draft.
alter table revisions add column in_review integer not null default 0
    constraint revisions_in_review_check check (in_review = 0 or state = 'DRAFT');

create trigger revisions_in_review_update before update of steps, start, theme_id on revisions when old.in_review = 1
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
    ended_by_id text references accounts (id),
    ended_at integer,
    answer text,
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
