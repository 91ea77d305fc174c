#include <fmt/format.h>

#include <algorithm>

#include "scree/io/paraview/xdmf.hpp"
#include "scree/io/run_folder/whole_file.hpp"

namespace scree {
namespace {

namespace fs = std::filesystem;

constexpr const char* kEnd = "  </Grid>\n </Domain>\n</Xdmf>\n";
/// So many files are looked for when one is added.
constexpr std::size_t kLooks = 8;

}  // namespace

void XdmfIndex::add_entry(XdmfEntry entry) {
  bool is_changed = drop_gone();
  if (!entries_.empty() && entries_.back().file == entry.file) {
    entries_.pop_back();
    is_changed = true;
  }
  // Entries that an earlier run has left of files that have gone are no beginning of this index.
  const bool goes_on = !is_changed && !entries_.empty();
  const bool is_added = goes_on && replace_end(path_, kEnd, entry.grid + kEnd);
  entries_.push_back(std::move(entry));
  if (!is_added) write_anew();
}

bool XdmfIndex::drop_gone() {
  if (looked_for_ >= entries_.size()) looked_for_ = 0;
  const auto first = entries_.begin() + static_cast<std::ptrdiff_t>(looked_for_);
  const auto last =
      first + static_cast<std::ptrdiff_t>(std::min(kLooks, entries_.size() - looked_for_));
  looked_for_ += kLooks;
  const auto is_gone = [](const XdmfEntry& entry) { return !fs::exists(entry.file); };
  if (std::none_of(first, last, is_gone)) return false;
  std::erase_if(entries_, is_gone);
  return true;
}

void XdmfIndex::write_anew() const {
  std::string text = fmt::format(
      "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<Xdmf Version=\"3.0\">\n <Domain>\n"
      "  <Grid Name=\"{}\" GridType=\"Collection\" CollectionType=\"Temporal\">\n",
      name_);
  for (const XdmfEntry& entry : entries_) text += entry.grid;
  write_whole(path_, text + kEnd);
}

}  // namespace scree
