-- The partition of a connection. Every row that exists, and every row of the last release, belongs to the first one.
ALTER TABLE connections ADD COLUMN month date NOT NULL DEFAULT '1970-01-01';
ALTER TABLE connections ADD CONSTRAINT connections_month_check CHECK (month = DATE '1970-01-01') NOT VALID;
