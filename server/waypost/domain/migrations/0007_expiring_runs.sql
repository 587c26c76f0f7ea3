-- Retention reads the runs that still have their events, in the order in which they expire.
create index runs_with_events_idx on runs (tour_serial, last_at) where length(events) > 0;
