-- The key that created this one. Null if none did, or an earlier release did not record it.
ALTER TABLE api_keys ADD COLUMN created_by_key text;
