-- What an operator allows the organization of what all organizations share; null for the values of the installation.
ALTER TABLE organizations ADD COLUMN quotas json;
