#!/usr/bin/env bash
# Builds the image of a release: image/build.sh BINARY VERSION TAG. Its base contains the files of Debian's packages that
# the binary needs, and no shell or package manager. Needs root, buildah and mmdebstrap; SUITE selects Debian's release.
set -euo pipefail
binary=$1 version=$2 tag=$3
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
temporary=$(mktemp --directory)
trap 'rm -rf "$temporary"' EXIT
umask 022
debian=$temporary/debian root=$temporary/base/root
packages=(libc6 libgcc-s1 ca-certificates)
if [[ -z ${SUITE:-} ]]; then
  # shellcheck source=/dev/null
  SUITE=$(. /etc/os-release && echo "$VERSION_CODENAME")
fi

mmdebstrap --quiet --variant=extract --include="$(IFS=, && echo "${packages[*]}")" "$SUITE" "$debian" > "$temporary/log" 2>&1 || {
  cat "$temporary/log" >&2
  exit 1
}
mkdir --parents "$root"/{etc/ssl/certs,tmp,usr/share/doc,var/lib/dpkg/status.d}
chmod 1777 "$root/tmp"
# Libraries can be below / or below /usr, which depends on Debian's release.
while read -r library; do
  found=$debian$library
  [[ -e $found ]] || found=$debian/usr$library
  install -D "$found" "$root$library"
done < <(ldd "$binary" | grep --only-matching '/[^ ]*')
cat "$debian"/usr/share/ca-certificates/mozilla/*.crt > "$root/etc/ssl/certs/ca-certificates.crt"
echo 'hosts: files dns' > "$root/etc/nsswitch.conf"
printf 'root:x:0:0:root:/:/nonexistent\nwaypost:x:65532:65532:Waypost:/var/lib/waypost:/nonexistent\n' > "$root/etc/passwd"
printf 'root:x:0:\nwaypost:x:65532:\n' > "$root/etc/group"
# Scanners find the packages of images without dpkg here.
for package in "${packages[@]}"; do
  cp --recursive --dereference "$debian/usr/share/doc/$package" "$root/usr/share/doc/" 2> /dev/null || true
  awk -v RS= -v name="Package: $package" '$0 ~ "^" name "\n"' "$debian/var/lib/dpkg/status" > "$root/var/lib/dpkg/status.d/$package"
done

install -D "$binary" "$temporary/context/waypost"
# Only the format of Docker has health checks. The time of all files makes builds reproducible.
build() {
  buildah build --quiet --isolation=chroot --format=docker --layers=false --timestamp="${SOURCE_DATE_EPOCH:-0}" "$@"
}
printf 'FROM scratch\nCOPY root/ /\n' > "$temporary/base/Containerfile"
build --tag "$tag-base" --file "$temporary/base/Containerfile" "$temporary/base" > /dev/null
build --build-arg BASE="$tag-base" --build-arg VERSION="$version" --build-arg REVISION="${REVISION:-unknown}" \
  --tag "$tag" --file "$here/Containerfile" "$temporary/context" > /dev/null
