#!/usr/bin/env bash
# Builds a Debian package around a compiled `waypost`: debian/build.sh BINARY VERSION FOLDER. Prints the path of the package.
# Needs dpkg-dev and binutils. Two packages of the same binary, version and SOURCE_DATE_EPOCH are identical.
set -euo pipefail
binary=$1 version=$2 folder=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
project=$here/../../..
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-0} LC_ALL=C
temporary=$(mktemp --directory)
trap 'rm -rf "$temporary"' EXIT
umask 022
root=$temporary/root
units=$root/usr/lib/systemd/system
documents=$root/usr/share/doc/waypost

install -D --mode=755 "$binary" "$root/usr/bin/waypost"
install -D --mode=755 "$here/waypost-admin.sh" "$root/usr/sbin/waypost-admin"
install -D --mode=755 "$here/backup.sh" "$root/usr/lib/waypost/backup"
# It may contain secrets, and systemd reads it as root.
install -D --mode=600 "$here/waypost.env" "$root/etc/waypost/waypost.env"
install -D --mode=644 --target-directory="$units" "$here"/waypost.service "$here"/waypost-backup.{service,timer}
for service in waypost waypost-backup; do
  install -D --mode=644 "$here/hardening.conf" "$units/$service.service.d/hardening.conf"
done
install -D --mode=644 "$project/LICENSE" "$documents/copyright"
gzip --best --no-name < "$project/CHANGELOG.md" > "$documents/CHANGELOG.md.gz"

# The smallest versions of the libraries that have all symbols of the binary.
architecture=$(dpkg --print-architecture)
mkdir "$temporary/debian"
printf 'Source: waypost\n\nPackage: waypost\nArchitecture: %s\n' "$architecture" > "$temporary/debian/control"
libraries=$(cd "$temporary" && dpkg-shlibdeps -O -e"$root/usr/bin/waypost" 2> "$temporary/shlibdeps") || {
  cat "$temporary/shlibdeps" >&2
  exit 1
}

# A pre-release such as 1.0.0-rc.1 precedes 1.0.0 only with a tilde.
version=${version/-/\~}
mkdir "$root/DEBIAN"
cat > "$root/DEBIAN/control" <<CONTROL
Package: waypost
Version: $version
Architecture: $architecture
Maintainer: Waypost <waypost@example.com>
Installed-Size: $(du --apparent-size --summarize --block-size=1K "$root" | cut --fields=1)
Depends: ${libraries#shlibs:Depends=}, ca-certificates, passwd
Recommends: dbus, systemd
Suggests: postgresql
Section: web
Priority: optional
Homepage: https://github.com/waypost/waypost
Description: guided product tours for your own sites
 Write tours in the browser, review them, release them to a site, and measure
 where visitors drop off. Waypost is one program with its web interface inside.
 It uses SQLite or PostgreSQL, and an OpenID Connect provider for sign-in.
CONTROL
echo /etc/waypost/waypost.env > "$root/DEBIAN/conffiles"
install --mode=755 "$here"/{preinst,postinst,prerm,postrm} "$root/DEBIAN"
(cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort --zero-terminated | xargs --null md5sum) \
  > "$root/DEBIAN/md5sums"

mkdir --parents "$folder"
package=$folder/waypost_${version}_$architecture.deb
# A higher level takes ten times as long for a sixth of the size.
dpkg-deb --root-owner-group -Zxz -z1 --build "$root" "$package" > "$temporary/log" || { cat "$temporary/log" >&2; exit 1; }
echo "$package"
