#!/bin/sh
# Moves the key of a node that has not started yet to its signer, once:
#   keys.sh NODE_FOLDER KEY_FOLDER SOCKET_FOLDER
# Run by root, it hands everything to the user of the image.
set -eu
node=$1
keys=$2
sockets=$3
umask 077
if [ ! -d "$keys/node_keys" ]; then
  cp -a "$node/state/node_keys" "$keys/node_keys"
  [ ! -f "$node/state/key_unused" ] || cp -a "$node/state/key_unused" "$keys/key_unused"
  cp -a "$node/passphrase" "$keys/passphrase"
fi
# Only when the copy is whole: a node and a signer with one key would both sign.
rm -rf "$node/state/node_keys" "$node/passphrase"
if [ "$(id -u)" = 0 ]; then chown -R node:node "$keys" "$sockets"; fi
