-- The service may delete a log only after the erasure of its organization is recorded as completed. That record stays, and the log never begins again:
-- otherwise the service could replace a log by another one.
CREATE OR REPLACE FUNCTION erase_audit_entries(erased text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  removed bigint;
BEGIN
  IF NOT EXISTS (SELECT FROM erasures WHERE organization_id = erased AND is_of_organization AND completed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the erasure of this organization is not completed';
  END IF;
  DELETE FROM audit_entries WHERE organization_id = erased;
  GET DIAGNOSTICS removed = ROW_COUNT;
  RETURN removed;
END $$;

CREATE FUNCTION refuse_audit_entry() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
BEGIN
  IF EXISTS (SELECT FROM erasures WHERE organization_id = NEW.organization_id AND is_of_organization AND completed_at IS NOT NULL) THEN
    RAISE EXCEPTION 'the audit log of this organization was erased';
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER audit_entries_refused BEFORE INSERT ON audit_entries FOR EACH ROW EXECUTE FUNCTION refuse_audit_entry();

CREATE FUNCTION refuse_change_of_erasure() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the completed erasure of an organization cannot be changed';
END $$;
CREATE TRIGGER erasures_kept BEFORE UPDATE OR DELETE ON erasures FOR EACH ROW
  WHEN (OLD.is_of_organization AND OLD.completed_at IS NOT NULL) EXECUTE FUNCTION refuse_change_of_erasure();
