-- The API key that issued the token: its sessions end when it is revoked. Null if none did.
ALTER TABLE dashboard_sessions ADD COLUMN key_id text;
