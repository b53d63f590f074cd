#!/bin/sh
# nc -z <host> <port> tries to connect. nc -lk -p <port> -e nc <host> <port> forwards each connection.
case "$1" in
  -z) exec socat -u /dev/null "TCP:$2:$3" ;;
  -lk) exec socat "TCP-LISTEN:$3,fork,reuseaddr" "TCP:$6:$7" ;;
  *) echo "nc: $*: not supported" >&2; exit 2 ;;
esac
