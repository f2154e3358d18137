#!/bin/sh
# What vws-live.service runs: restarts vws.service if its main thread no longer answers. A node that was started less than a
# quarter of an hour ago is left alone: it answers only after its store is open, migrated if need be, and its log replayed.
# So is one that takes no connection: it is still at that, or its API has another address (LIVE_URL). A blocked one takes them.
set -eu
url=${LIVE_URL:-http://127.0.0.1:8338/health/live}
systemctl is-active --quiet vws.service || exit 0
since_us=$(systemctl show --value --property=ActiveEnterTimestampMonotonic vws.service)
read -r now _ < /proc/uptime
[ $((${now%.*} - since_us / 1000000)) -ge 900 ] || exit 0
status=0
curl --silent --fail --output /dev/null --max-time 10 --retry 3 --retry-delay 5 --retry-all-errors "$url" || status=$?
case $status in
  0) ;;
  # An error as an answer, none in time, an empty one, a connection that broke.
  22 | 28 | 52 | 56) systemctl --no-block restart vws.service ;;
  *) echo "vws.service is left alone: $url cannot be asked (curl: $status). If its API is elsewhere, name it by LIVE_URL" ;;
esac
