#!/bin/bash
# The entry point of the official image, as far as the Compose file and the manifests use it.
set -e
export PGDATA=${PGDATA:-/var/lib/postgresql/18/docker}
mkdir -p "$PGDATA"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  : "${POSTGRES_PASSWORD:?}"
  initdb -D "$PGDATA" -U postgres --auth-host=scram-sha-256 --auth-local=trust --pwfile=<(echo "$POSTGRES_PASSWORD") --encoding=UTF8 --locale=C
  echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
  [ -z "$POSTGRES_DB" ] || echo "CREATE DATABASE \"$POSTGRES_DB\"" | postgres --single -D "$PGDATA" postgres
fi
exec postgres -D "$PGDATA" -c listen_addresses='*' -c unix_socket_directories=/tmp,/var/run/postgresql "$@"
