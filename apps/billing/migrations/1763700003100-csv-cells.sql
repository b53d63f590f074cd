-- A cell of an RFC 4180 file: quoted where it holds a space, comma, quote or line break, and defused where a spreadsheet
-- would take it for a formula.
CREATE FUNCTION csv_cell(value text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN defused ~ '[ ,"\r\n]' THEN '"' || replace(defused, '"', '""') || '"' ELSE defused END
    FROM (SELECT CASE WHEN value ~ '^[=+@\t\r-]' THEN '''' || value ELSE value END AS defused) AS cell
$$;

-- Minutes with two decimals.
CREATE FUNCTION csv_minutes(seconds numeric) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT to_char(seconds / 60, 'FM999999999990.00')
$$;

CREATE FUNCTION csv_instant(instant timestamptz) RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT coalesce(to_char(instant AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), '')
$$;
