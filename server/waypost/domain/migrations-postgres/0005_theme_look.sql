-- Null takes the value from the page.
alter table themes add column popover_radius bigint;
alter table themes add column button_radius bigint;
alter table themes add column font_family text collate "C";
-- 1 if popovers show the number of the step.
alter table themes add column show_step_count bigint not null default 1;
