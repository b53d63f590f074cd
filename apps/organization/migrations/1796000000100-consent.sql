-- What the organization has set of consent to recordings, and AI, for new rooms.
ALTER TABLE organizations ADD COLUMN consent json;
