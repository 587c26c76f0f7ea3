-- Invitations to a workspace, as in migrations/0008_invitations.sql. An expired invitation is stored as PENDING,
-- because its expiry follows from the time.
create table invitations (
    id text collate "C" primary key,
    workspace_id text collate "C" not null references workspaces (id),
    -- In lower case.
    email text collate "C" not null,
    role text collate "C" not null
        constraint invitations_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    -- The SHA-256 of the secret in the link. The secret itself is not stored.
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
