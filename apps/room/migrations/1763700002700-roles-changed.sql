-- When the organization's backend gave somebody another role than the token that they may be here by.
ALTER TABLE participants ADD COLUMN role_changed_at timestamptz;
