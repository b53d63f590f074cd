-- A document of a class, such as slides. status: uploading (shown as pending) → pending → processing → completed or failed.
CREATE TABLE documents (
  document_id       text PRIMARY KEY,
  organization_id   text NOT NULL,
  room_id           text NOT NULL,
  sid               text NOT NULL,
  title             text NOT NULL,
  -- Where the file is loaded from; null for an upload.
  source_url        text,
  -- Bytes of the file; 0 until it is loaded.
  size              bigint NOT NULL,
  status            text NOT NULL,
  message           text,
  upload_id         text UNIQUE,
  -- When an upload, or the loading, is given up. For a deleted document: when its objects are deleted for the second time.
  upload_expires_at timestamptz,
  -- Each attempt writes under its own prefix; only the one that is named here is shown.
  attempt           integer NOT NULL DEFAULT 0,
  -- When a process takes it (again), to load or to convert it; null if there is nothing to do.
  due_at            timestamptz,
  pages             integer,
  -- Bytes of the pictures of its pages.
  output_bytes      bigint NOT NULL DEFAULT 0,
  created_at        timestamptz NOT NULL,
  completed_at      timestamptz,
  deleted_at        timestamptz,
  -- The trace of the request that brought the last byte.
  trace             text,
  CHECK (status IN ('uploading', 'pending', 'processing', 'completed', 'failed'))
);
CREATE INDEX documents_deleted ON documents (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX documents_due ON documents (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX documents_exported ON documents (organization_id, document_id) WHERE deleted_at IS NULL;
CREATE INDEX documents_of_class ON documents (organization_id, room_id, created_at, document_id);
CREATE INDEX documents_stored ON documents (organization_id) INCLUDE (status, attempt, size, output_bytes) WHERE deleted_at IS NULL;
CREATE INDEX documents_unfinished ON documents (upload_expires_at) WHERE status = 'uploading';

CREATE TABLE document_pages (
  document_id text NOT NULL REFERENCES documents ON DELETE CASCADE,
  page        integer NOT NULL,
  -- Pixels of the larger picture.
  width       integer NOT NULL,
  height      integer NOT NULL,
  text        text NOT NULL,
  PRIMARY KEY (document_id, page)
);
COMMENT ON TABLE document_pages IS 'belongs to documents by document_id';
