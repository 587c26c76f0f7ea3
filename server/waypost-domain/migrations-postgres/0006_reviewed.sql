-- What was looked at in a review, kept when it ends: a draft may change after that. Null while a review waits, and of those that
-- were returned before this was kept. The theme is no foreign key, as in revisions. As in migrations/0010_reviewed.sql.

alter table reviews add column steps text collate "C";
alter table reviews add column start text collate "C";
alter table reviews add column theme_id text collate "C";
update reviews set (steps, start, theme_id) =
    (select r.steps, r.start, r.theme_id from revisions r where r.id = reviews.revision_id)
where state = 'RELEASED';
