#pragma once

/// The beginning that all pages share, after kPageBegin (report/report_page.hpp).

#include <string_view>

namespace scree {

inline constexpr std::string_view kPageHead = R"(
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<style>
body { font: 15px/1.45 system-ui, sans-serif; color: #222; max-width: 800px; margin: 2em auto; padding: 0 1em; }
h1 { font-size: 1.5em; } h2 { font-size: 1.1em; margin: 2em 0 0.3em; border-bottom: 1px solid #ccc; }
table { border-collapse: collapse; } td, th { padding: 2px 12px 2px 0; text-align: left; vertical-align: top; }
svg { width: 100%; height: auto; font: 11px system-ui, sans-serif; }
pre { overflow-x: auto; background: #f6f6f6; padding: 0.8em; font-size: 12px; }
.bad { color: #b00020; }
</style>
)";

}  // namespace scree
