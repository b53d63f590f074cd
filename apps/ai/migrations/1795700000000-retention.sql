-- Dialogues and summaries of an organization by age, for the end of their retention.
CREATE INDEX CONCURRENTLY chats_expiring ON chats (organization_id, updated_at, chat_key);
