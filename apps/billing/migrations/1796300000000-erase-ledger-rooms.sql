-- The ledger is append-only for the service's role. Through this function it can replace the ids that an erased organization gave its classes.
CREATE FUNCTION erase_ledger_rooms(erased text) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE ledger_entries SET room_id = sid WHERE organization_id = erased AND room_id <> sid;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;
