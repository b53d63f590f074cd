-- Ends in the order they were written; those of before the column, or of a process that does not know it, by their own time.
CREATE INDEX CONCURRENTLY rooms_finished ON rooms ((coalesce(finished_at, ended_at)), sid) WHERE state = 'finished';
