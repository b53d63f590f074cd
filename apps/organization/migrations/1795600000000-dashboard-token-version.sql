-- Increases with each revocation of the organization's dashboard tokens: those of an earlier version are refused.
ALTER TABLE organizations ADD COLUMN dashboard_token_version integer NOT NULL DEFAULT 0;
