-- The values of VF-ORG-ID that an organization may use: secrets, of which only hashes are stored. `organizations.organization_id` identifies it in rows,
-- facts, logs and addresses.
CREATE TABLE organization_credentials (
  credential_id   text        PRIMARY KEY,
  organization_id text        NOT NULL REFERENCES organizations,
  -- SHA-256 of the value. A revoked value is never accepted again, for no organization.
  hash            bytea       NOT NULL UNIQUE CHECK (length(hash) = 32),
  -- The last characters of a long value, to tell values apart.
  hint            text        NOT NULL,
  expires_at      timestamptz,
  last_used_at    timestamptz,
  -- Of the request that created it.
  idempotency_key text,
  created_at      timestamptz NOT NULL,
  revoked_at      timestamptz
);
CREATE INDEX organization_credentials_organization ON organization_credentials (organization_id, created_at);
CREATE UNIQUE INDEX organization_credentials_idempotency ON organization_credentials (organization_id, idempotency_key);

-- The id of an organization that exists is its first credential, and so is that of one which the last release creates next to this one.
ALTER TABLE organizations ADD COLUMN is_id_credential boolean NOT NULL DEFAULT true;
INSERT INTO organization_credentials (credential_id, organization_id, hash, hint, created_at)
SELECT 'cred_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 20), organization_id, sha256(convert_to(organization_id, 'UTF8')),
       CASE WHEN length(organization_id) < 16 THEN '' ELSE right(organization_id, 4) END, created_at
  FROM organizations;
CREATE FUNCTION add_credential_of_id() RETURNS trigger LANGUAGE plpgsql SET search_path FROM CURRENT AS $$
BEGIN
  INSERT INTO organization_credentials (credential_id, organization_id, hash, hint, created_at)
  VALUES ('cred_' || substr(replace(gen_random_uuid()::text, '-', ''), 1, 20), NEW.organization_id, sha256(convert_to(NEW.organization_id, 'UTF8')),
          CASE WHEN length(NEW.organization_id) < 16 THEN '' ELSE right(NEW.organization_id, 4) END, NEW.created_at);
  RETURN NULL;
END $$;
CREATE TRIGGER organizations_inserted AFTER INSERT ON organizations FOR EACH ROW WHEN (NEW.is_id_credential) EXECUTE FUNCTION add_credential_of_id();
