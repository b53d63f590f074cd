-- With a valid constraint the table becomes a partition without being read under a lock.
ALTER TABLE connections VALIDATE CONSTRAINT connections_month_check;
