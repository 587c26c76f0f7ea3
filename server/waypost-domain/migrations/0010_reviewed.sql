-- What was looked at in a review, kept when it ends: a draft may change after that. Null while a review waits, and of those that
-- were returned before this was kept. The theme is no foreign key, as in revisions.

alter table reviews add column steps text;
alter table reviews add column start text;
alter table reviews add column theme_id text;
update reviews set (steps, start, theme_id) =
    (select r.steps, r.start, r.theme_id from revisions r where r.id = reviews.revision_id)
where state = 'RELEASED';
