-- As the function of the same name, for some classes of the organization: a ledger may be too large for one statement.
CREATE FUNCTION erase_ledger_rooms(erased text, sids text[]) RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  changed bigint;
BEGIN
  UPDATE ledger_entries SET room_id = sid WHERE organization_id = erased AND sid = ANY (sids) AND room_id <> sid;
  GET DIAGNOSTICS changed = ROW_COUNT;
  RETURN changed;
END $$;
