-- What providers claimed when it was last applied, by workspace: a claim counts when it changes, so that what administrators
-- decide afterwards stands.
create table claimed_roles (
    account_id text not null references accounts (id),
    workspace_id text not null references workspaces (id),
    role text not null constraint claimed_roles_role_check check (role in ('VIEWER', 'AUTHOR', 'PUBLISHER', 'ADMIN')),
    primary key (account_id, workspace_id)
) strict, without rowid;

-- Until now one workspace took claims, and no table says which: where there is only one, it was that one.
insert into claimed_roles (account_id, workspace_id, role)
select a.id, w.id, a.claimed_role
from accounts a join workspaces w
where a.claimed_role is not null and (select count(*) from workspaces) = 1;

alter table accounts drop column claimed_role;
-- When the token was made whose claims were applied last, in seconds since 1970: an older one knows less.
alter table accounts add column claims_at integer;
