-- The index of migrations/0007_expiring_runs.sql, which has its comment, for PostgreSQL.

create index runs_with_events_idx on runs (tour_serial, last_at) where length(events) > 0;
