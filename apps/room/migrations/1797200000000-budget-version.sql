-- How often the budget was changed.
ALTER TABLE rooms ADD COLUMN budget_version int NOT NULL DEFAULT 0;
