-- The few whose rights do not follow from their role.
CREATE INDEX CONCURRENTLY participants_own_permissions ON participants (sid) WHERE permissions IS NOT NULL;
