-- An organization whose erasure was requested is closed: it can only read that erasure.
ALTER TABLE organizations ADD COLUMN closed_at timestamptz;
ALTER TABLE erasures
  ADD COLUMN is_of_organization boolean NOT NULL DEFAULT false,
  -- The last fact in the stream when no class of the organization could continue.
  ADD COLUMN closed_through bigint;

-- The audit log is append-only for the service's role. Through this function it can delete the entries of a closed organization.
CREATE FUNCTION erase_audit_entries(erased text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed bigint;
BEGIN
  DELETE FROM audit_entries
   WHERE organization_id = erased AND EXISTS (SELECT FROM organizations WHERE organization_id = erased AND closed_at IS NOT NULL);
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;
