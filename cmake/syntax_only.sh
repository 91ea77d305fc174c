#!/bin/sh
# Runs a compiler's command for its messages alone; the object, which is for the build system, is empty.
set -eu
"$@" -fsyntax-only
while [ "$1" != -o ]; do shift; done
: >"$2"
