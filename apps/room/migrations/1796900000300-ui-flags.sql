-- What the class page leaves out for this participant, by the latest token. Null: nothing.
ALTER TABLE participants ADD COLUMN ui json;
