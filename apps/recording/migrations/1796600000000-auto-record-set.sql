-- When auto_record was chosen: facts about a room may arrive in any order.
ALTER TABLE rooms ADD COLUMN auto_record_set_at timestamptz;
