#!/usr/bin/env bash
# Pushes the images of several architectures as one: image/publish.sh REPOSITORY VERSION ARCHIVE… Prints the digest.
# Needs skopeo and buildah, and the login of `skopeo login`. TLS=false permits a registry without TLS.
set -euo pipefail
repository=$1 version=$2
shift 2
list=$repository:$version
temporary=$(mktemp --directory)
trap 'rm -rf "$temporary"' EXIT
digest=$temporary/digest

# A failed run leaves it.
buildah manifest rm "$list" > /dev/null 2>&1 || true
buildah manifest create "$list" > /dev/null
for archive in "$@"; do
  architecture=${archive##*-}
  tag=$version-${architecture%.tar}
  skopeo copy --quiet --dest-tls-verify="${TLS:-true}" --digestfile "$digest" "docker-archive:$archive" "docker://$repository:$tag"
  buildah manifest add --tls-verify="${TLS:-true}" "$list" "docker://$repository@$(cat "$digest")" > /dev/null
done
buildah manifest push --quiet --all --rm --tls-verify="${TLS:-true}" --digestfile "$digest" "$list" "docker://$list" >&2
cat "$digest"
