-- The attendance policy that the organization has set for new rooms.
ALTER TABLE organizations ADD COLUMN attendance json;
