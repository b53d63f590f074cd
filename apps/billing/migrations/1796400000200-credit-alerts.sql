-- Thresholds of the organization's own: {"remaining": [credits, …], "consumed": [credits, …]}. Null: none.
ALTER TABLE accounts ADD COLUMN alerts json;
