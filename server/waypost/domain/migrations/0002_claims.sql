-- The claimed roles that were applied last, by workspace. A claim is applied only when it changes, so that later
-- changes by administrators are kept.
create table claimed_roles (
    account_id text not null references accounts (id),
    workspace_id text not null references workspaces (id),
    role text not null constraint claimed_roles_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    primary key (account_id, workspace_id)
) strict, without rowid;

-- Before, claims applied to one workspace that no table recorded. If there is only one workspace, it was that one.
insert into claimed_roles (account_id, workspace_id, role)
select a.id, w.id, a.claimed_role
from accounts a join workspaces w
where a.claimed_role is not null and (select count(*) from workspaces) = 1;

alter table accounts drop column claimed_role;
-- The issue time of the token whose claims were applied last, in seconds since 1970. Claims of older tokens are
-- ignored.
alter table accounts add column claims_at integer;
