-- Uploaded logos, without metadata, in parts that fit in a message of NATS. The one in force is named by organizations.logo_url.
CREATE TABLE organization_logos (
  organization_id text    NOT NULL,
  -- Of the whole logo.
  sha256          text    NOT NULL,
  -- From 0.
  number          integer NOT NULL,
  parts           integer NOT NULL,
  content         bytea   NOT NULL CHECK (length(content) <= 1048576),
  PRIMARY KEY (organization_id, sha256, number)
);
-- The path of a logo, which is sealed, names it by its hash.
CREATE INDEX organization_logos_content ON organization_logos (sha256, number);
-- Pictures are compressed already.
ALTER TABLE organization_logos ALTER COLUMN content SET STORAGE EXTERNAL;
