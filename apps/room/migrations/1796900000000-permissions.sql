-- What differs from the roles, by role: {"STUDENT": {"publishAudio": true}}. Null: nothing.
ALTER TABLE rooms ADD COLUMN role_permissions json;
-- What differs for this participant, by the latest token: {"chat": false}. Null: nothing.
ALTER TABLE participants ADD COLUMN permissions json;
