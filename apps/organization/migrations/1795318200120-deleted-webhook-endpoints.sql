CREATE INDEX CONCURRENTLY webhook_endpoints_deleted ON webhook_endpoints (endpoint_id) WHERE deleted_at IS NOT NULL;
