-- Null takes the value from the page.
alter table themes add column popover_radius integer;
alter table themes add column button_radius integer;
alter table themes add column font_family text;
-- 1 if popovers show the number of the step.
alter table themes add column show_step_count integer not null default 1;
