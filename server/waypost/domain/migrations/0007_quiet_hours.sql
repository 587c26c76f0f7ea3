-- The cooldown: the hours for which no other tour starts automatically after one did.
alter table sites add column quiet_hours integer not null default 24
    constraint sites_quiet_hours_check check (quiet_hours >= 0);
