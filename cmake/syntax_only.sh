#!/bin/sh
# Runs a compiler's command, whose last words are `-o OBJECT -c SOURCE`, for its messages alone, up to the end
# of the source: there the compiler is stopped, before it instantiates the templates that it has put off, which
# takes most of the time. A name that a source uses without a header is found, a type that is incomplete only
# where a template of another header is instantiated is not. The object, for the build system, is empty; the file
# of dependencies comes from the list of headers that were read.
set -eu
words=$(($# - 4))
while [ "$words" -gt 0 ]; do # once around, so that the last four come first
  [ "$1" != -MF ] || dependencies=$2
  set -- "$@" "$1"
  shift
  words=$((words - 1))
done
[ "$1 $3" = "-o -c" ] || { echo "$0: the command does not end with -o OBJECT -c SOURCE" >&2; exit 1; }
object=$2 source=$4
shift 4
messages=$object.messages
trap 'rm -f "$messages"' EXIT
end='end of the unit'
# The definition is one at file scope alone: a scope that the source leaves open is an error of it.
printf '#include "%s"\nnamespace end_of_unit { extern int here; }\nint ::end_of_unit::here = 0;\nstatic_assert(false, "%s");\n' \
  "$source" "$end" |
  LC_ALL=C "$@" -fdiagnostics-color=never -H -fsyntax-only -Wfatal-errors -x c++ - 2>"$messages" || true
if ! grep -q "^<stdin>:4:.*error: .*$end" "$messages"; then
  grep -v '^[.!x]* /' "$messages" >&2 || echo "$0: the compiler ended without a message" >&2
  exit 1
fi
{
  printf '%s: %s\n' "$object" "$source"
  sed -n 's/^\.\.* \(\/.*\)/\1/p' "$messages" | sort -u
} | sed '2,$s/ /\\ /g' | tr '\n' ' ' >"$dependencies"
: >"$object"
