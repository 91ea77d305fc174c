# shellcheck shell=sh
# What scripts/test --kernels runs the tests under. POSIX shell; sourced.

# processor_has FLAG...: whether /proc/cpuinfo names all of them.
processor_has() {
  for flag in "$@"; do
    grep -q -m 1 "^flags.*[[:space:]]$flag\([[:space:]]\|\$\)" /proc/cpuinfo || return 1
  done
}

# Families of kernels of OpenBLAS, each with the flags of a processor that runs them.
openblas_table() {
  cat <<'TABLE'
Prescott pni
Nehalem sse4_2
Sandybridge avx
Haswell avx2 fma
Zen avx2 fma
SkylakeX avx512f avx512dq avx512bw avx512vl avx512cd
TABLE
}

# kernel_environments SCREE: the settings, NAME=VALUE a line, by which the executable SCREE takes each
# kernel that this processor runs. None of OpenBLAS where SCREE's BLAS is another, or has one kernel:
# OpenBLAS names the kernel that it took, and takes its own choice without a fault for one it lacks.
kernel_environments() {
  openblas_table | while read -r family flags; do
    # The flags hold no blanks: they are meant to be split.
    # shellcheck disable=SC2086
    processor_has $flags || continue
    taken=$(OPENBLAS_VERBOSE=2 OPENBLAS_CORETYPE=$family "$1" --version 2>&1 |
      sed -n 's/^Core: //p')
    [ "$taken" != "$family" ] || printf 'OPENBLAS_CORETYPE=%s\n' "$family"
  done
  for variant in plain avx2 avx512; do
    # scree refuses what the processor lacks
    if SCREE_INSTRUCTIONS=$variant "$1" --version >/dev/null 2>&1; then
      printf 'SCREE_INSTRUCTIONS=%s\n' "$variant"
    fi
  done
}
