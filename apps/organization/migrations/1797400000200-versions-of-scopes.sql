-- What the scopes of a key mean. In version 1, `billing:read` also read what people did in class, and `rooms:read` what they wrote.
ALTER TABLE api_keys ADD COLUMN scopes_version integer NOT NULL DEFAULT 1;
