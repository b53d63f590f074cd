-- The row to which each row of a table without an organization belongs: row-level security asks whether that row is visible (ADR 53).
COMMENT ON TABLE connections_by_month IS 'belongs to rooms by sid';
COMMENT ON TABLE chat_messages IS 'belongs to rooms by sid';
COMMENT ON TABLE reactions IS 'belongs to rooms by sid';
COMMENT ON TABLE polls IS 'belongs to rooms by sid';
COMMENT ON TABLE room_recordings IS 'belongs to rooms by sid';
COMMENT ON TABLE session_addresses IS 'belongs to rooms by sid';
COMMENT ON TABLE poll_votes IS 'belongs to polls by poll_id';
