-- From when emptyTimeout counts where that is later than the last leave: until then the platform was unreachable. By LiveKit's clock.
ALTER TABLE rooms ADD COLUMN empty_since timestamptz;
