-- {"maxCredits": …, "onReached": …}, and whether it has closed the doors.
ALTER TABLE rooms ADD COLUMN budget json, ADD COLUMN doors_closed boolean NOT NULL DEFAULT false;
