CREATE INDEX CONCURRENTLY chats_exported ON chats (organization_id, chat_key);
