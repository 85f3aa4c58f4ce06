#!/bin/sh
# Gives the sandbox's MariaDB servers a folder whose files can share blocks, where the machine's own file system cannot
# (ext4): an XFS in a file. Needs root, once, and again after each start of the machine. Usage:
#
#   sudo sh src/sandbox/pool.sh [folder [size [user]]]       ./data/sandbox-mariadb, 20G, who calls sudo
#
# The file is thin: it takes what is stored. To remove it all: npm run sandbox:clean, umount, and delete folder and file.
set -eu

folder=${1:-./data/sandbox-mariadb}
size=${2:-20G}
user=${3:-${SUDO_USER:-root}}

fail() {
  echo "$1" >&2
  exit 1
}

[ "$(id -u)" = 0 ] || fail 'This needs root: sudo sh src/sandbox/pool.sh'
command -v mkfs.xfs >/dev/null || fail 'mkfs.xfs was not found (Debian: xfsprogs).'
parent=$(dirname "$folder")
[ -d "$parent" ] || { mkdir -p "$parent" && chown "$user" "$parent"; }
mkdir -p "$folder"
folder=$(realpath "$folder")
image="$folder.xfs"
mountpoint -q "$folder" && fail "$folder is mounted already."
[ -z "$(ls -A "$folder")" ] || fail "$folder is not empty: npm run sandbox:clean, then again."

if [ ! -e "$image" ]; then
  truncate -s "$size" "$image"
  mkfs.xfs -q -m reflink=1 "$image"
fi
mount -o loop "$image" "$folder"
# By default a changed page takes 128 KiB of its own, eight times what it needs.
xfs_io -c 'cowextsize 16k' "$folder"
chown "$user" "$folder"
echo "$folder can share blocks now. Start the sandbox as $user: npm start"
