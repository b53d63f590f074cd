-- From which address a participant opened or renewed a session, from `since` until the next row: a connection made by a media token
-- has the address that held when the token was signed.
CREATE TABLE session_addresses (
  sid      text        NOT NULL,
  uid      text        NOT NULL,
  since    timestamptz NOT NULL,
  -- Null where the gateway could not say.
  address  text,
  PRIMARY KEY (sid, uid, since),
  FOREIGN KEY (sid, uid) REFERENCES participants ON DELETE CASCADE
);
