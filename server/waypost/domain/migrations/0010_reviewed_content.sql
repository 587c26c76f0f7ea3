-- The reviewed content, stored when a review ends, because the draft can change afterwards. Null while a review waits,
-- and for reviews that were returned before these columns existed. The theme is not a foreign key, as in revisions.

alter table reviews add column steps text;
alter table reviews add column start text;
alter table reviews add column theme_id text;
update reviews set (steps, start, theme_id) =
    (select r.steps, r.start, r.theme_id from revisions r where r.id = reviews.revision_id)
where state = 'RELEASED';
