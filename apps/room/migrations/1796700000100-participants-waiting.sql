CREATE INDEX CONCURRENTLY participants_waiting ON participants (sid, waits_since) WHERE admission = 'WAITING';
