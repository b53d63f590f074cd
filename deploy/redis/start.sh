#!/bin/sh
# start.sh <users> <flags of redis-server>: starts Redis with the users of a file in this folder. Their passwords are in the environment.
set -eu
umask 077
config=${CONFIG_FOLDER:-/tmp}/redis.conf
users=$(cat "$(dirname "$0")/$1")
shift
{
  echo "requirepass $REDIS_PASSWORD"
  eval "cat <<USERS
$users
USERS"
} > "$config"
exec redis-server "$config" "$@"
