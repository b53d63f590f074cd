-- How long the organization keeps each class of personal data; null: the defaults.
ALTER TABLE organizations ADD COLUMN retention json;
