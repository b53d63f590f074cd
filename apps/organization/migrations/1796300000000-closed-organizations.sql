-- An organization whose erasure was requested is closed: it can only read that erasure.
ALTER TABLE organizations ADD COLUMN closed_at timestamptz;
ALTER TABLE erasures
  ADD COLUMN is_of_organization boolean NOT NULL DEFAULT false,
  -- The last fact in the stream when no class of the organization could continue.
  ADD COLUMN closed_through bigint;
