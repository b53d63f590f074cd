-- Tables whose rows no policy protects, because statements find them by a visible room. An erasure of an organization finds them by this comment.
COMMENT ON TABLE participants IS 'reached through rooms by sid';
COMMENT ON TABLE live_rooms IS 'reached through rooms by sid';
