-- The erasure of an organization begins after a cool-down, until which it can be cancelled. A process of the last release does not take it earlier: it has no
-- time at which it is due.
ALTER TABLE erasures ADD COLUMN begins_at timestamptz;
ALTER TABLE organizations ADD COLUMN erasure_begins_at timestamptz;
