#!/bin/sh
# Patroni calls this once with the address of the new cluster, as /etc/patroni/create-database.sh.
set -eu
psql --no-psqlrc --quiet --set=ON_ERROR_STOP=1 --set=password="$POSTGRES_PASSWORD" "$1" <<'SQL'
create role waypost login password :'password';
create database waypost owner waypost encoding 'UTF8' template template0;
SQL
