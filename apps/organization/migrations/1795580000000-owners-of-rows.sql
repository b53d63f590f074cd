-- The row to which each row of a table without an organization belongs: row-level security asks whether that row is visible (ADR 53).
COMMENT ON TABLE api_key_secrets IS 'belongs to api_keys by key_id';
COMMENT ON TABLE webhook_deliveries IS 'belongs to webhook_endpoints by endpoint_id';
