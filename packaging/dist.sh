#!/bin/sh
# Makes the distribution out of a jar: dist.sh JAR FOLDER. `./skep dist` builds the jar first.
# FOLDER gets skep-VERSION/ with launcher, jar, units and checksums, and the same as a tar.gz.
set -eu

[ $# = 2 ] || { echo "usage: dist.sh JAR FOLDER" >&2; exit 2; }
case $0 in */*) here=${0%/*} ;; *) here=. ;; esac
home=$(CDPATH='' cd -- "$here/.." && pwd -P)
jar=$1
mkdir -p "$2"
out=$(CDPATH='' cd -- "$2" && pwd -P)

sum() {
    if command -v sha256sum >/dev/null 2>&1; then sha256sum "$@"; else shasum -a 256 "$@"; fi
}

version=$(sed -n 's:^  <version>\(.*\)</version>:\1:p' "$home/pom.xml" | head -n 1)
name=skep-$version
rm -rf "$out/$name" "$out/$name.tar.gz" "$out/$name.tar.gz.sha256"
mkdir -p "$out/$name/packaging" "$out/$name/docs"
cp "$home/skep" "$home/README.md" "$home/CHANGELOG.md" "$out/$name/"
cp "$jar" "$out/$name/skep.jar"
cp "$home/packaging/"*.service "$out/$name/packaging/"
cp "$home/docs/"*.md "$out/$name/docs/"
chmod 755 "$out/$name/skep"
(cd "$out/$name" && sum skep skep.jar README.md CHANGELOG.md packaging/* docs/* >SHA256SUMS)
(cd "$out" && tar -czf "$name.tar.gz" "$name" && sum "$name.tar.gz" >"$name.tar.gz.sha256")
printf '%s\n' "$out/$name.tar.gz"
