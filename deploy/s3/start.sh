#!/bin/sh
# Starts versitygw with a user for each variable S3_SECRET_<user>, and with bucket-policy.json, which says what each may do.
set -eu
data=${DATA_FOLDER:-/data}
settings=$data/metadata/classroom/meta
mkdir -p "$data/buckets/classroom" "$settings" "$data/users"
cp "$(dirname "$0")/bucket-policy.json" "$settings/policy"
# Without access lists versitygw answers 500 to a user that copies an object. An empty one grants nothing.
echo '{}' > "$settings/acl"
umask 077
accounts=$(env | sed -n 's/^S3_SECRET_\([a-z]*\)=\([0-9a-f]*\)$/"\1":{"access":"\1","secret":"\2","role":"user"}/p' | tr '\n' ',')
echo "{\"accessAccounts\":{${accounts%,}}}" > "$data/users/users.json"
exec versitygw "$@"
