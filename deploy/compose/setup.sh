#!/bin/sh
# Makes keys, passphrases, the manifest and a configuration file for a test network, once:
#   setup.sh FOLDER SEATS
# VWS: the program; default the one of the image. Run by root, it hands everything to the user of the image.
set -eu
folder=$1
seats=$2
vws=${VWS:-node /opt/vws/build/host/cli/main.js}
umask 077
mkdir -p "$folder"
cd "$folder"
[ -f seats.json ] && exit 0

entries=
for i in $(seq "$seats"); do
  mkdir -p "n$i"
  [ -f "n$i/passphrase" ] || head -c 24 /dev/urandom | base64 > "n$i/passphrase"
  key="n$i/state/node_keys/identity.json"
  [ -f "$key" ] || SERVICE_TESTNET=true $vws init --data "n$i/state" --passphrase-file "n$i/passphrase"
  entries="$entries --entry $(sed -n 's/.*"public_key": *"\([0-9a-f]*\)".*/\1/p' "$key")"
done

for i in $(seq "$seats"); do
  peers=
  for j in $(seq "$seats"); do
    [ "$i" = "$j" ] || peers="$peers\"n$j:8337\", "
  done
  cat > "n$i/vws.toml" <<CONFIG
testnet = true
data = "state"
passphrase_file = "passphrase"
manifest = "../seats.json"
peers = [${peers%, }]
CONFIG
done
$vws manifest $entries --output seats.json.new
if [ "$(id -u)" = 0 ] && [ -d /opt/vws ] && id node > /dev/null 2>&1; then chown -R node:node .; fi
# Last: whoever finds the manifest finds all of it.
mv seats.json.new seats.json
