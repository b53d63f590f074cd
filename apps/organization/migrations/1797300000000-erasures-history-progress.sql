-- The history of a large organization takes many transactions.
ALTER TABLE erasures ADD COLUMN history_progress json, ADD COLUMN begun_at timestamptz;
