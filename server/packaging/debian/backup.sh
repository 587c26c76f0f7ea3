#!/bin/sh
# Writes a backup of the SQLite database to /var/backups/waypost, and deletes the oldest ones beyond BACKUPS_KEPT.
set -eu
folder=/var/backups/waypost
if [ -n "${WAYPOST_DATABASE_URL:-}" ]; then
  echo "The data is in PostgreSQL, which has its own backups."
  exit 0
fi
# Nothing to do before the first start of the server.
[ -e "$WAYPOST_DATA/waypost.db" ] || exit 0
/usr/bin/waypost backup "$folder/waypost-$(date --utc +%Y-%m-%dT%H%M%SZ).db"
# Only after a complete backup, so that a failure never deletes the last good one. The names sort by time.
find "$folder" -name 'waypost-*.db' | sort | head --lines="-$BACKUPS_KEPT" | xargs --no-run-if-empty rm --
