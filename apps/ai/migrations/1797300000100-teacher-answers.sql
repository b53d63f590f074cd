ALTER TABLE questions ADD COLUMN teacher_answer text, ADD COLUMN teacher_name text;
