#pragma once

/// `scree report RUN`: a run on one page.

#include <mpi.h>

#include <filesystem>

namespace scree {

struct ReportArguments {
  std::filesystem::path run;     ///< the folder of the run
  std::filesystem::path output;  ///< empty: report.html in the folder
};

/// Writes the page on rank 0. Collective. Gives the exit status.
/// @throws InputError, on all ranks, as report_page(), and when the output would replace what is no
/// page; Failure when it cannot be written.
int report_command(MPI_Comm comm, const ReportArguments& arguments);

}  // namespace scree
