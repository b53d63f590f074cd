-- Each consumer's rows are kept as long as its stream can deliver their messages again.
CREATE INDEX CONCURRENTLY inbox_age ON inbox (consumer, received_at);
