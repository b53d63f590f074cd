CREATE UNIQUE INDEX CONCURRENTLY connections_key ON connections (connection_sid, month);
