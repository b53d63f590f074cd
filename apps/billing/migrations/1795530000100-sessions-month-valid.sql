-- With a valid constraint the table becomes a partition without being read under a lock.
ALTER TABLE sessions VALIDATE CONSTRAINT sessions_month_check;
