-- The row to which each row of a table without an organization belongs: row-level security asks whether that row is visible (ADR 53).
COMMENT ON TABLE captions IS 'belongs to videos by video_id';
