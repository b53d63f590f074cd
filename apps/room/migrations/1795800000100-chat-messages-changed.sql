CREATE INDEX CONCURRENTLY chat_messages_changed ON chat_messages (sid, changed_version) WHERE changed_version IS NOT NULL;
