ALTER TABLE rooms
  -- When the class is held: startsAt, endsAt, joinBefore, maxDuration. Null: whenever someone comes.
  ADD COLUMN schedule        json,
  -- When the schedule next has something to do: to open the room, to give notice of the end, to end the class.
  ADD COLUMN schedule_due_at timestamptz,
  -- The end that was announced.
  ADD COLUMN end_noticed     timestamptz;
