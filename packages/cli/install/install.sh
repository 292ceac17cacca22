#!/bin/sh
# Installs the hedron command line.
#
#   HEDRON_VERSION      version to install, such as 1.2.3 (default: the newest)
#   HEDRON_INSTALL_DIR  where to put it (default: /usr/local/bin if that can be written, else ~/.local/bin)
#   HEDRON_UPDATE_URL   where the files of the release are (default: the address that this script came with)
set -eu

release_address='@RELEASE_ADDRESS@'
release_key='@RELEASE_KEY@'

fail() {
  printf 'error: %s\n' "$1" >&2
  exit 1
}

fetch() {
  if command -v curl >/dev/null 2>&1; then
    curl --fail --silent --show-error --location --retry 3 --output "$2" "$1"
  elif command -v wget >/dev/null 2>&1; then
    wget --quiet --output-document="$2" "$1"
  else
    fail 'neither curl nor wget is here'
  fi || fail "cannot fetch $1"
}

sha256() {
  if command -v sha256sum >/dev/null 2>&1; then
    sha256sum "$1"
  elif command -v shasum >/dev/null 2>&1; then
    shasum -a 256 "$1"
  else
    fail 'neither sha256sum nor shasum is here, so what was fetched cannot be checked'
  fi | cut -d ' ' -f 1
}

find_target() {
  case "$(uname -s)" in
    Linux) system=linux ;;
    Darwin) system=darwin ;;
    *) fail "unsupported system: $(uname -s)" ;;
  esac
  case "$(uname -m)" in
    x86_64 | amd64) machine=x64 ;;
    aarch64 | arm64) machine=arm64 ;;
    *) fail "unsupported machine: $(uname -m)" ;;
  esac
  library=''
  if [ "$system" = linux ] && [ -z "$(find /lib64 /lib /usr/lib -maxdepth 2 -name 'ld-linux*' 2>/dev/null)" ]; then
    library=-musl
  fi
  printf '%s-%s%s' "$system" "$machine" "$library"
}

# The signature is checked wherever there is a program that can; the checksums always are.
check_signature() {
  if command -v openssl >/dev/null 2>&1 && openssl pkeyutl -help 2>&1 | grep -q rawin; then
    printf -- '-----BEGIN PUBLIC KEY-----\n%s\n-----END PUBLIC KEY-----\n' "$release_key" >"$folder/key.pem"
    openssl pkeyutl -verify -pubin -inkey "$folder/key.pem" -rawin -in "$folder/SHA256SUMS" \
      -sigfile "$folder/SHA256SUMS.sig" >/dev/null 2>&1 || fail 'the release is not signed by the key that this script knows'
  else
    printf 'This openssl cannot check signatures of releases; checksums are checked.\n' >&2
  fi
}

main() {
  address=${HEDRON_UPDATE_URL:-$release_address}
  address=${address%/}
  version=${HEDRON_VERSION:-}
  version=${version#v}
  # A version has a place of its own beside the newest, as releases of GitHub do.
  case "$version" in
    '' | latest) version='' ;;
    *[!0-9A-Za-z.+-]*) fail "HEDRON_VERSION is no version: $version" ;;
    *) case "$address" in
      */latest/download) address="${address%/latest/download}/download/v$version" ;;
    esac ;;
  esac

  target=$(find_target)
  folder=$(mktemp -d)
  trap 'rm -rf "$folder"' EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM

  fetch "$address/SHA256SUMS" "$folder/SHA256SUMS"
  fetch "$address/SHA256SUMS.sig" "$folder/SHA256SUMS.sig"
  check_signature
  line=$(grep -- "  hedron-[0-9][^ ]*-$target\\.gz\$" "$folder/SHA256SUMS" | head -n 1) ||
    fail "the release at $address has no binary for $target"
  archive=${line#*  }
  expected=${line%%  *}
  if [ -n "$version" ] && [ "$archive" != "hedron-$version-$target.gz" ]; then
    fail "version $version is not at $address: it has $archive"
  fi

  printf 'Downloading %s ...\n' "$archive" >&2
  fetch "$address/$archive" "$folder/hedron.gz"
  [ "$(sha256 "$folder/hedron.gz")" = "$expected" ] || fail "$archive is not what SHA256SUMS names"
  gzip -dc "$folder/hedron.gz" >"$folder/hedron" || fail "cannot unpack $archive"

  directory=${HEDRON_INSTALL_DIR:-}
  if [ -z "$directory" ]; then
    if [ -w /usr/local/bin ]; then directory=/usr/local/bin; else directory=$HOME/.local/bin; fi
  fi
  mkdir -p "$directory" || fail "cannot make $directory"
  # Moved into its place in one step, also over one that runs.
  place=$(mktemp "$directory/.hedron.XXXXXX") || fail "cannot write to $directory"
  trap 'rm -rf "$folder" "$place"' EXIT
  cp "$folder/hedron" "$place" || fail "cannot write to $directory"
  chmod 755 "$place"
  mv -f "$place" "$directory/hedron"
  printf 'Installed %s to %s/hedron\n' "$("$directory/hedron" --version)" "$directory"
  # shellcheck disable=SC2016 # $PATH is for the person's shell to fill in.
  case ":$PATH:" in
    *":$directory:"*) ;;
    *) printf 'NOTE: %s is not on your PATH; add it with\n  export PATH="%s:$PATH"\n' "$directory" "$directory" ;;
  esac
}

main
