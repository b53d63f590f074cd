-- How often the budget was changed.
ALTER TABLE room_meters ADD COLUMN budget_version int NOT NULL DEFAULT 0;
-- The budget by which the share was published last, and whether an earlier one was used up already.
ALTER TABLE budget_warnings ADD COLUMN budget_version int NOT NULL DEFAULT 0, ADD COLUMN is_repeated boolean NOT NULL DEFAULT false;
