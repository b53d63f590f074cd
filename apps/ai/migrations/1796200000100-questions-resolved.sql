CREATE INDEX CONCURRENTLY questions_resolved ON questions (organization_id, resolved_by, question_id) WHERE resolved_by IS NOT NULL;
