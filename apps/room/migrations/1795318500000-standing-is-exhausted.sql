-- The same table in every schema that keeps a copy of billing's word: one statement serves all.
ALTER TABLE standings ADD COLUMN is_exhausted boolean NOT NULL DEFAULT false;
