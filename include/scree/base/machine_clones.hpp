#pragma once

/// For functions of plain loops over many numbers: the compiler makes one of each for the processors it knows, and
/// the one at hand is taken when the program starts. All inline code that such a function calls is compiled with it.
///
/// Builds with the address sanitizer have no clones: it starts after the choice between them.

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__)
#define SCREE_MACHINE_CLONES [[gnu::target_clones("avx512f", "avx2", "default")]]
#else
#define SCREE_MACHINE_CLONES
#endif
