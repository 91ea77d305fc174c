#!/bin/sh
# Runs a compiler's command, whose last words are `-o OBJECT -c SOURCE`, for its messages alone, up to the end
# of the source: there the compiler is stopped, before it instantiates the templates that it has put off, which
# takes most of the time and is done where the object is made. The object, for the build system, is empty; the
# file of dependencies comes from the list of headers that were read.
set -eu
words=$(($# - 4))
while [ "$words" -gt 0 ]; do  # once around, so that the last four come first
  [ "$1" != -MF ] || dependencies=$2
  set -- "$@" "$1"
  shift
  words=$((words - 1))
done
[ "$1 $3" = "-o -c" ] || { echo "$0: the command does not end with -o OBJECT -c SOURCE" >&2; exit 1; }
object=$2 source=$4
shift 4
messages=$object.messages
end='end of the unit'
printf '#include "%s"\nstatic_assert(false, "%s");\n' "$source" "$end" |
  "$@" -H -fsyntax-only -Wfatal-errors -x c++ - 2>"$messages" || true
if ! grep -q "^<stdin>:2:.*error: .*$end" "$messages"; then
  grep -v '^[.!x]* /' "$messages" >&2
  rm "$messages"
  exit 1
fi
{
  printf '%s: %s' "$object" "$source"
  sed -n 's/^\.\.* \(\/.*\)/\1/p' "$messages" | sort -u | tr '\n' ' ' | sed 's/^/ /'
} >"$dependencies"
rm "$messages"
: >"$object"
