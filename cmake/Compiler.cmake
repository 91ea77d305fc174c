add_library(scree_compiler INTERFACE)
target_compile_features(scree_compiler INTERFACE cxx_std_20)
# Nothing reads errno or traps floating-point exceptions; without both, roots and choices of numbers are
# single instructions, and results are the same.
target_compile_options(scree_compiler INTERFACE
  -fno-math-errno -fno-trapping-math
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion
  # A tenth of the compiler's time went into collecting its garbage: it begins at 600 MB a unit.
  $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>
  $<$<BOOL:${SCREE_WARNINGS_AS_ERRORS}>:-Werror>
  $<$<BOOL:${SCREE_SANITIZE}>:-fsanitize=address,undefined -fno-sanitize-recover=undefined -fno-omit-frame-pointer>
  $<$<BOOL:${SCREE_FUZZ}>:-fsanitize=fuzzer-no-link,address>)
# Debug builds check every index into a standard container, a negative slot among them.
target_compile_definitions(scree_compiler INTERFACE $<$<CONFIG:Debug>:_GLIBCXX_ASSERTIONS>)
target_link_options(scree_compiler INTERFACE
  $<$<BOOL:${SCREE_SANITIZE}>:-fsanitize=address,undefined>
  $<$<BOOL:${SCREE_FUZZ}>:-fsanitize=address>)
