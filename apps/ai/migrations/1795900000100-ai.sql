-- A dialogue with memory: the agent's by the caller's chatId, the tutor's by room and student.
CREATE TABLE chats (
  chat_key        uuid PRIMARY KEY,
  organization_id text NOT NULL,
  kind            text NOT NULL,
  -- The caller's chatId, or <room's sid>/<student's uid>.
  name            text NOT NULL,
  sid             text,
  room_id         text,
  student_uid     text,
  next_index      integer NOT NULL DEFAULT 0,
  -- What was said before the turn of this index, in few words; that turn and later ones are told whole.
  summary         text,
  summarized_to   integer NOT NULL DEFAULT 0,
  -- One turn at a time, over all processes: who answers now, and until when it may be thought alive.
  lease_holder    uuid,
  lease_until     timestamptz,
  created_at      timestamptz NOT NULL,
  updated_at      timestamptz NOT NULL,
  CHECK ((kind = 'tutor') = (sid IS NOT NULL AND room_id IS NOT NULL AND student_uid IS NOT NULL)),
  CHECK (kind IN ('agent', 'tutor')),
  UNIQUE (organization_id, kind, name)
);
-- Dialogues and summaries of an organization by age, for the end of their retention.
CREATE INDEX chats_expiring ON chats (organization_id, updated_at, chat_key);
CREATE INDEX chats_exported ON chats (organization_id, chat_key);
-- Leases of processes that may be dead.
CREATE INDEX chats_leased ON chats (lease_until) WHERE lease_holder IS NOT NULL;
-- What a student asked in earlier classes.
CREATE INDEX chats_of_student ON chats (organization_id, student_uid, updated_at DESC) WHERE kind = 'tutor';

-- The summary of a class's questions, until another one is asked.
CREATE TABLE class_summaries (
  sid             text PRIMARY KEY,
  organization_id text NOT NULL,
  questions       integer NOT NULL,
  last_asked_at   timestamptz NOT NULL,
  summary         text NOT NULL,
  made_at         timestamptz NOT NULL
);
CREATE INDEX class_summaries_exported ON class_summaries (organization_id, sid);

-- What a backend tells the tutor of a class.
CREATE TABLE room_contexts (
  sid             text PRIMARY KEY,
  organization_id text NOT NULL,
  topic           text,
  notes           text,
  updated_at      timestamptz NOT NULL
);
CREATE INDEX room_contexts_exported ON room_contexts (organization_id, sid);

-- An organization's own models and prices; its keys are encrypted (AES-256-GCM).
CREATE TABLE settings (
  organization_id text PRIMARY KEY,
  version         integer NOT NULL,
  choices         json NOT NULL,
  updated_at      timestamptz NOT NULL
);

-- What billing said last of an organization's credits: a copy that may say yes, and is asked about before a no.
CREATE TABLE credit_status (
  organization_id text PRIMARY KEY,
  version         bigint NOT NULL,
  is_exhausted    boolean NOT NULL,
  -- The same table in every schema that keeps a copy of billing's word: one statement serves all.
  is_overconsumed boolean NOT NULL DEFAULT false
);

-- One exchange. A turn that nobody finished (its process died) is told as cut off.
CREATE TABLE turns (
  turn_id      uuid PRIMARY KEY,
  chat_key     uuid NOT NULL REFERENCES chats ON DELETE CASCADE,
  dialog_index integer NOT NULL,
  question     text NOT NULL,
  has_audio    boolean NOT NULL DEFAULT false,
  has_image    boolean NOT NULL DEFAULT false,
  answer       text NOT NULL DEFAULT '',
  state        text NOT NULL,
  asked_at     timestamptz NOT NULL,
  finished_at  timestamptz,
  CHECK (state IN ('open', 'finished', 'cut_off', 'failed')),
  UNIQUE (chat_key, dialog_index)
);
COMMENT ON TABLE turns IS 'belongs to chats by chat_key';

-- A student's question in a class: the tutor's turn as the class and its teachers see it.
CREATE TABLE questions (
  question_id     uuid PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
  organization_id text NOT NULL,
  sid             text NOT NULL,
  student_uid     text NOT NULL,
  question        text NOT NULL,
  -- Lower case, without punctuation: what groups the same question of many.
  normalized      text NOT NULL,
  answer          text NOT NULL,
  -- By the embedding model, where there is one; of another length than its neighbours' it is not compared with them.
  embedding       real[],
  -- Why it waits for a teacher; null where it doesn't.
  open_reason     text,
  resolved_at     timestamptz,
  resolved_by     text,
  asked_at        timestamptz NOT NULL,
  teacher_answer  text,
  teacher_name    text,
  CHECK (open_reason IN ('asked', 'unknown', 'failed'))
);
CREATE INDEX questions_of_class ON questions (sid, asked_at);
CREATE INDEX questions_open ON questions (sid, asked_at) WHERE open_reason IS NOT NULL AND resolved_at IS NULL;
CREATE INDEX questions_resolved ON questions (organization_id, resolved_by, question_id) WHERE resolved_by IS NOT NULL;

-- One call of a model, finished or cut off. Costs are decimals; what is summed is what was written here.
CREATE TABLE usage (
  usage_id        uuid PRIMARY KEY,
  organization_id text NOT NULL,
  kind            text NOT NULL,
  task            text NOT NULL,
  chat_key        uuid,
  turn_id         uuid,
  sid             text,
  student_uid     text,
  provider        text NOT NULL,
  model           text NOT NULL,
  outcome         text NOT NULL,
  input_tokens    integer NOT NULL DEFAULT 0,
  output_tokens   integer NOT NULL DEFAULT 0,
  -- Counted by us, where the provider told nothing.
  is_estimated    boolean NOT NULL DEFAULT false,
  -- Seconds of sound heard or made.
  audio_seconds   numeric(12,3) NOT NULL DEFAULT 0,
  characters      integer NOT NULL DEFAULT 0,
  cost            numeric(20,9) NOT NULL,
  credits         numeric(20,9) NOT NULL DEFAULT 0,
  latency_ms      integer NOT NULL,
  first_token_ms  integer,
  recorded_at     timestamptz NOT NULL,
  CHECK (kind IN ('agent', 'tutor')),
  CHECK (outcome IN ('finished', 'cut_off', 'failed')),
  CHECK (task IN ('chat', 'summary', 'transcription', 'speech', 'embedding'))
);
CREATE INDEX usage_of_class ON usage (sid, student_uid) WHERE sid IS NOT NULL;
CREATE INDEX usage_of_organization ON usage (organization_id, recorded_at);
