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
