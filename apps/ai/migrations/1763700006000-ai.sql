-- A dialogue with memory: the agent's by the caller's chatId, the tutor's by room and student.
CREATE TABLE chats (
  chat_key         uuid        PRIMARY KEY,
  organization_id  text        NOT NULL,
  kind             text        NOT NULL CHECK (kind IN ('agent', 'tutor')),
  -- The caller's chatId, or <room's sid>/<student's uid>.
  name             text        NOT NULL,
  sid              text,
  room_id          text,
  student_uid      text,
  next_index       integer     NOT NULL DEFAULT 0,
  -- What was said before the turn of this index, in few words; that turn and later ones are told whole.
  summary          text,
  summarized_to    integer     NOT NULL DEFAULT 0,
  -- One turn at a time, over all processes: who answers now, and until when it may be thought alive.
  lease_holder     uuid,
  lease_until      timestamptz,
  created_at       timestamptz NOT NULL,
  updated_at       timestamptz NOT NULL,
  UNIQUE (organization_id, kind, name),
  CHECK ((kind = 'tutor') = (sid IS NOT NULL AND room_id IS NOT NULL AND student_uid IS NOT NULL))
);
-- Leases of processes that may be dead.
CREATE INDEX chats_leased ON chats (lease_until) WHERE lease_holder IS NOT NULL;
-- What a student asked in earlier classes.
CREATE INDEX chats_of_student ON chats (organization_id, student_uid, updated_at DESC) WHERE kind = 'tutor';

-- One exchange. A turn that nobody finished (its process died) is told as cut off.
CREATE TABLE turns (
  turn_id       uuid        PRIMARY KEY,
  chat_key      uuid        NOT NULL REFERENCES chats ON DELETE CASCADE,
  dialog_index  integer     NOT NULL,
  question      text        NOT NULL,
  has_audio     boolean     NOT NULL DEFAULT false,
  has_image     boolean     NOT NULL DEFAULT false,
  answer        text        NOT NULL DEFAULT '',
  state         text        NOT NULL CHECK (state IN ('open', 'finished', 'cut_off', 'failed')),
  asked_at      timestamptz NOT NULL,
  finished_at   timestamptz,
  UNIQUE (chat_key, dialog_index)
);

-- A student's question in a class: the tutor's turn as the class and its teachers see it.
CREATE TABLE questions (
  question_id     uuid        PRIMARY KEY REFERENCES turns ON DELETE CASCADE,
  organization_id text        NOT NULL,
  sid             text        NOT NULL,
  student_uid     text        NOT NULL,
  question        text        NOT NULL,
  -- Lower case, without punctuation: what groups the same question of many.
  normalized      text        NOT NULL,
  answer          text        NOT NULL,
  -- By the embedding model, where there is one; of another length than its neighbours' it is not compared with them.
  embedding       real[],
  -- Why it waits for a teacher; null where it doesn't.
  open_reason     text        CHECK (open_reason IN ('asked', 'unknown', 'failed')),
  resolved_at     timestamptz,
  resolved_by     text,
  asked_at        timestamptz NOT NULL
);
CREATE INDEX questions_of_class ON questions (sid, asked_at);
CREATE INDEX questions_open ON questions (sid, asked_at) WHERE open_reason IS NOT NULL AND resolved_at IS NULL;

-- One call of a model, finished or cut off. Costs are decimals; what is summed is what was written here.
CREATE TABLE usage (
  usage_id        uuid           PRIMARY KEY,
  organization_id text           NOT NULL,
  kind            text           NOT NULL CHECK (kind IN ('agent', 'tutor')),
  task            text           NOT NULL CHECK (task IN ('chat', 'summary', 'transcription', 'speech', 'embedding')),
  chat_key        uuid,
  turn_id         uuid,
  sid             text,
  student_uid     text,
  provider        text           NOT NULL,
  model           text           NOT NULL,
  outcome         text           NOT NULL CHECK (outcome IN ('finished', 'cut_off', 'failed')),
  input_tokens    integer        NOT NULL DEFAULT 0,
  output_tokens   integer        NOT NULL DEFAULT 0,
  -- Counted by us, where the provider told nothing.
  is_estimated    boolean        NOT NULL DEFAULT false,
  -- Seconds of sound heard or made.
  audio_seconds   numeric(12, 3) NOT NULL DEFAULT 0,
  characters      integer        NOT NULL DEFAULT 0,
  cost            numeric(20, 9) NOT NULL,
  credits         numeric(20, 9) NOT NULL DEFAULT 0,
  latency_ms      integer        NOT NULL,
  first_token_ms  integer,
  recorded_at     timestamptz    NOT NULL
);
CREATE INDEX usage_of_organization ON usage (organization_id, recorded_at);
CREATE INDEX usage_of_class ON usage (sid, student_uid) WHERE sid IS NOT NULL;

-- What a backend tells the tutor of a class.
CREATE TABLE room_contexts (
  sid             text        PRIMARY KEY,
  organization_id text        NOT NULL,
  topic           text,
  notes           text,
  updated_at      timestamptz NOT NULL
);

-- The summary of a class's questions, until another one is asked.
CREATE TABLE class_summaries (
  sid             text        PRIMARY KEY,
  organization_id text        NOT NULL,
  questions       integer     NOT NULL,
  last_asked_at   timestamptz NOT NULL,
  summary         text        NOT NULL,
  made_at         timestamptz NOT NULL
);

-- An organization's own models and prices; its keys are encrypted (AES-256-GCM).
CREATE TABLE settings (
  organization_id text        PRIMARY KEY,
  version         integer     NOT NULL,
  choices         json        NOT NULL,
  updated_at      timestamptz NOT NULL
);

-- What billing said last of an organization's credits: a copy that may say yes, and is asked about before a no.
CREATE TABLE standings (
  organization_id text    PRIMARY KEY,
  version         bigint  NOT NULL,
  is_exhausted    boolean NOT NULL
);
