-- {"maxCredits": …, "onReached": …}; null: none.
ALTER TABLE room_meters ADD COLUMN budget json;
-- The shares of budgets that were published. The key decides that each is published once.
CREATE TABLE budget_warnings (
  organization_id text        NOT NULL,
  sid             text        NOT NULL,
  percent         smallint    NOT NULL,
  reached_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, sid, percent)
);
