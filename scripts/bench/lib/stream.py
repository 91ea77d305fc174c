"""The machine's memory bandwidth: McCalpin's STREAM triad on one core, compiled and run where it is asked for."""
import pathlib
import statistics
import subprocess
import tempfile

SOURCE = r"""
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

int main(int argc, char** argv) {
  const size_t n = strtoull(argv[1], 0, 10);
  const int repeats = atoi(argv[2]);
  double* a = malloc(n * sizeof *a);
  double* b = malloc(n * sizeof *b);
  double* c = malloc(n * sizeof *c);
  if (argc != 3 || !a || !b || !c) return 1;
  for (size_t i = 0; i < n; ++i) a[i] = 0.0, b[i] = 1.0, c[i] = 2.0;
  for (int k = 0; k < repeats; ++k) {
    double start = seconds();
    for (size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
    const double triad = seconds() - start;
    start = seconds();
    for (size_t i = 0; i < n; ++i) a[i] = a[i] + 3.0 * b[i];
    printf("%.9f %.9f %g\n", triad, seconds() - start, a[n / 2]);
  }
  return 0;
}
"""
DOUBLES = 2**25  # an array: 268 MB, beyond every cache
BYTES = 24  # of an element, as STREAM counts
REPEATS = 7


def bandwidths(processes):
    """Bytes a second of processor time of each of some processes at a time, medians of REPEATS: of the triad a = b + s c, to
    which STREAM counts no loading of a; and of the update a = a + s b, which moves what is counted, as a sweep does.
    """
    with tempfile.TemporaryDirectory() as folder:
        source, program = pathlib.Path(folder) / "triad.c", pathlib.Path(folder) / "triad"
        source.write_text(SOURCE, encoding="utf-8")
        subprocess.run(["cc", "-O3", "-march=native", "-ffp-contract=fast", source, "-o", program], check=True)
        running = [subprocess.Popen([program, str(DOUBLES), str(REPEATS)], stdout=subprocess.PIPE, text=True)
                   for _ in range(processes)]
        return [of_output(process.communicate()[0]) for process in running]


def of_output(lines):
    times = [[float(word) for word in line.split()[:2]] for line in lines.splitlines()]
    return [BYTES * DOUBLES / statistics.median(column) for column in zip(*times)]


def bandwidth():
    """That of one process alone."""
    return bandwidths(1)[0]


def speed_up(processes):
    """The triads of some processes together over that of one."""
    return sum(triad for triad, _ in bandwidths(processes)) / bandwidth()[0]
