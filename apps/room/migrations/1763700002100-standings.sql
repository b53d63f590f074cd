-- What billing last said of an organization that was below zero: a copy that may say yes, and is asked about before a no.
CREATE TABLE standings (
  organization_id  text    PRIMARY KEY,
  version          bigint  NOT NULL,
  is_overconsumed  boolean NOT NULL
);
