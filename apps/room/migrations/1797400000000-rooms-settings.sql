-- Everything that can be set for a room, as the contract's RoomSettings: a setting that is missing has its default.
ALTER TABLE rooms ADD COLUMN settings json NOT NULL DEFAULT '{}';
-- The columns of before stay for the release that runs next to this one, which reads the defaults of rooms that this one creates.
ALTER TABLE rooms ALTER COLUMN max_participants SET DEFAULT 1000, ALTER COLUMN empty_timeout SET DEFAULT 300, ALTER COLUMN auto_record SET DEFAULT false;
UPDATE rooms SET settings = json_build_object(
  'maxParticipants', max_participants, 'emptyTimeout', empty_timeout, 'autoRecord', auto_record, 'waitingRoom', waiting_room,
  'duplicateJoin', duplicate_join, 'chat', json_build_object('mode', chat_mode, 'slowModeSeconds', slow_mode_seconds),
  'permissions', coalesce(role_permissions, '{}'), 'consent', json_build_object('recording', recording_consent, 'ai', may_use_ai),
  'budget', budget, 'attendance', attendance, 'startsAt', schedule->>'startsAt', 'endsAt', schedule->>'endsAt',
  'joinBefore', coalesce((schedule->>'joinBefore')::int, 600), 'maxDuration', (schedule->>'maxDuration')::int)
 WHERE sid IN (SELECT sid FROM rooms WHERE state <> 'abandoned' LIMIT 1000000);
