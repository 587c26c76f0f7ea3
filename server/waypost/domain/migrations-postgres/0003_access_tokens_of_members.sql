-- Deletes the access tokens of programs that have left their workspace, which no list contained.

delete from access_tokens
where not exists (
    select 1 from members
    where members.account_id = access_tokens.account_id and members.workspace_id = access_tokens.workspace_id
);
