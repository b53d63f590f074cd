-- {"url": …, "timeoutMs": …, "fallback": …}, and the encrypted secret that signs its questions. Null: none.
ALTER TABLE organizations ADD COLUMN join_hook json, ADD COLUMN join_hook_secret text;
