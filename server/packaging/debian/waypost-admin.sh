#!/bin/sh
# Runs a command of `waypost` as the service does: as its user, with its settings and its data folder. For example:
# waypost-admin doctor storage
set -eu
if [ "$(id -u)" -ne 0 ]; then
  echo "waypost-admin must run as root, for example: sudo waypost-admin $*" >&2
  exit 1
fi
# Without a terminal, --pty would change the line ends of the output.
if [ -t 0 ] && [ -t 1 ]; then terminal=--pty; else terminal=--pipe; fi
exec systemd-run --quiet --wait --collect "$terminal" --uid=waypost --gid=waypost --working-directory=/var/lib/waypost \
  --property=Environment=WAYPOST_DATA=/var/lib/waypost --property=EnvironmentFile=/etc/waypost/waypost.env \
  --property=UMask=0077 -- /usr/bin/waypost "$@"
