-- The board of a class. Its row decides the order of all changes: each takes the next version, under the row's lock.
CREATE TABLE boards (
  sid             text PRIMARY KEY REFERENCES rooms ON DELETE CASCADE,
  version         bigint NOT NULL DEFAULT 0,
  -- The version at which pages, the current page, or who may draw changed last.
  details_version bigint NOT NULL DEFAULT 0,
  is_shown        boolean NOT NULL DEFAULT false,
  current_page_id uuid,
  -- Elements, deleted ones included.
  element_count   integer NOT NULL DEFAULT 0
) WITH (fillfactor = 50);
COMMENT ON TABLE boards IS 'belongs to rooms by sid';

CREATE TABLE board_pages (
  sid           text NOT NULL REFERENCES boards ON DELETE CASCADE,
  page_id       uuid NOT NULL,
  -- From 0, without gaps only as long as nothing is deleted.
  position      integer NOT NULL,
  template      text NOT NULL,
  document_id   text,
  document_page integer,
  PRIMARY KEY (sid, page_id)
);
COMMENT ON TABLE board_pages IS 'belongs to rooms by sid';

CREATE TABLE board_elements (
  sid        text NOT NULL REFERENCES boards ON DELETE CASCADE,
  element_id text NOT NULL,
  page_id    uuid NOT NULL,
  -- Who drew it first.
  uid        text NOT NULL,
  -- Version of the board at which it changed last.
  version    bigint NOT NULL,
  -- The page's own count of changes, and a random number for each: they tell a late change, and a repeated one.
  revision   bigint NOT NULL,
  nonce      bigint NOT NULL,
  -- The page's JSON. Null: deleted.
  element    text,
  PRIMARY KEY (sid, element_id)
);
CREATE INDEX board_elements_by_version ON board_elements (sid, version);
CREATE INDEX board_elements_by_author ON board_elements (sid, uid);
COMMENT ON TABLE board_elements IS 'belongs to rooms by sid';

-- Who was allowed to draw in the class, beyond what their role allows.
CREATE TABLE board_drawers (
  sid        text NOT NULL REFERENCES boards ON DELETE CASCADE,
  uid        text NOT NULL,
  allowed_at timestamptz NOT NULL,
  PRIMARY KEY (sid, uid)
);
COMMENT ON TABLE board_drawers IS 'belongs to rooms by sid';
