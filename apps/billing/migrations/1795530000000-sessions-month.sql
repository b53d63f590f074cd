-- The partition of a session. Every row that exists, and every row of the last release, belongs to the first one.
ALTER TABLE sessions ADD COLUMN month date NOT NULL DEFAULT '1970-01-01';
ALTER TABLE sessions ADD CONSTRAINT sessions_month_check CHECK (month = DATE '1970-01-01') NOT VALID;
