CREATE TABLE presets (
  organization_id text        NOT NULL,
  name            text        NOT NULL,
  customization   json        NOT NULL,
  settings        json        NOT NULL,
  updated_at      timestamptz NOT NULL,
  PRIMARY KEY (organization_id, name)
);
