#!/usr/bin/python3
"""Fails when a source file includes what it may not see.

    floors.py SOURCE_DIR

The modules stand on floors, and each includes only what is below it; a library that one module wraps
is included there and nowhere else. The tables below are the rule.
"""
import re
import sys
from pathlib import Path

# Module: the modules whose headers it may include, besides its own.
BELOW = {
    "base": [],
    "config": ["base"],
    "geometry": ["base", "config"],
    "impact": ["base", "config"],
    "events": ["base", "config"],
    "fields": ["base", "config", "geometry"],
    "bodies": ["base", "config", "geometry"],
    "joints": ["base", "config", "geometry"],
    "tools": ["base", "config", "events", "geometry", "bodies"],
    "sources": ["base", "config", "geometry", "bodies"],
    "loads": ["base", "config", "geometry", "bodies", "tools"],
    "contact": ["base", "config", "geometry", "bodies", "tools"],
    "domain": ["base", "config", "geometry", "bodies", "tools", "sources"],
    "problem": ["base", "config", "geometry", "bodies", "tools", "contact", "domain"],
    "solver": ["base", "config", "problem"],
    "io": ["base", "config", "geometry", "fields", "bodies", "tools", "sources", "contact", "domain",
           "problem", "solver"],
    "step": ["base", "config", "impact", "geometry", "joints", "bodies", "tools", "sources", "loads", "contact",
             "domain", "problem", "solver"],
    "report": ["base", "config", "io"],
    "app": ["base", "config", "events", "geometry", "fields", "joints", "bodies", "tools", "sources", "loads", "contact",
            "domain", "problem", "solver", "io", "step", "report"],
    "sweep": ["base", "config", "geometry", "bodies", "tools", "sources", "io", "report", "app"],
}

MAIN = "main"  # the program's own files, in src itself: they see every module
MAIN_FILES = ["src/main.cpp", "src/large_blocks.cpp"]

# Headers that a module may not include although they stand below it, and why.
HIDDEN = {
    "solver": [("scree/problem/assemble", "solvers see a problem, not the bodies it comes from")],
}

# Rooms of a module: the other rooms that each may see. What stands in no room is seen by all, and sees all.
ROOMS = {
    "solver": {
        "sweeps": [],
        "gradient": ["sweeps"],
        "linear": [],
        "interior_point": ["linear"],
        "newton": ["linear", "sweeps"],
        "lcp": ["linear", "sweeps"],
    },
}

# Headers of a library: the folders or files that may include them.
LIBRARIES = [
    (r"zoltan(_\w+)?\.h", "Zoltan", ["src/domain/partition.cpp"]),
    (r"yaml-cpp/.*", "yaml-cpp", ["src/config/"]),
    (r"muParser.*\.h", "muParser", ["src/config/formula.cpp"]),
    (r"boost/.*", "Boost", ["src/loads/drag.cpp"]),
    (r"libqhull_r/.*", "Qhull", ["src/geometry/hulls/quickhull.cpp"]),
    (r"(coin/)?(Clp|Coin)\w+\.hp*", "Clp", ["src/impact/linear_program.cpp"]),
    (r"(hdf5|H5\w+)\.h", "HDF5", ["src/io/", "include/scree/io/"]),
    (r"CLI/.*", "CLI11", ["src/main.cpp", "src/app/"]),
    (r"spdlog/.*", "spdlog", ["src/main.cpp", "src/app/", "include/scree/app/"]),
    (r"mpi\.h", "MPI", [f"{top}/{module}/" for top in ("src", "include/scree")
                        for module in ("base", "domain", "problem", "io", "step", "app")]
     + ["src/main.cpp"]),
    (r"petsc\w*\.h", "PETSc", [f"{top}/{module}/" for top in ("src", "include/scree")
                               for module in ("base", "domain", "problem", "solver", "io", "step",
                                              "app")]),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^">]+)[">]')


def module_of(path):
    """The module of a path relative to the source tree, or None."""
    parts = path.parts
    if path.as_posix() in MAIN_FILES:
        return MAIN
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "scree") and len(parts) > 3:
        return parts[2]
    return None


def room_of(parts, module):
    """The room of a path given by its parts below the module's folder, or None."""
    rooms = ROOMS.get(module, {})
    return parts[0] if len(parts) > 1 and parts[0] in rooms else None


def fault_between_rooms(path, module, header_parts):
    """What is wrong with an include of the same module, given by its parts below the module's folder; or None."""
    below_top = path.parts[2:] if path.parts[0] == "src" else path.parts[3:]
    room, other = room_of(below_top, module), room_of(header_parts, module)
    if room and other and other not in [room, *ROOMS[module][room]]:
        return f"the room {room} of {module} may not see its room {other}"
    return None


def fault_of_test(path, header, source_dir):
    """What is wrong with an include of a test, or None. A module's unit tests see the headers beside its sources."""
    if re.search(r"(^|/)src/", header):
        return 'write "MODULE/ROOM/NAME.hpp"'
    if header.startswith("scree/") and not (source_dir / "include" / header).is_file():
        return "no such header under include/"
    if path.parts[:2] == ("tests", "unit") and (source_dir / "src" / header).is_file():
        module = header.split("/")[0]
        if module != path.parts[2]:
            return f"it stands beside the sources of {module}, whose tests alone may include it"
    return None


def fault(path, module, quote, header, source_dir):
    """What is wrong with one include, with the remedy; None when nothing is."""
    for pattern, library, places in LIBRARIES:
        if re.fullmatch(pattern, header) and not path.as_posix().startswith(tuple(places)):
            return f"{library} is wrapped elsewhere: only {', '.join(places)} may include it"
    if quote == "<":
        if header.startswith("scree/"):
            return 'write scree\'s own headers in quotes: "scree/..."'
        return None
    if not header.startswith("scree/"):
        if path.parts[0] == "src" and "/" not in header and (source_dir / path.parent / header).is_file():
            return None
        if path.parts[0] == "src" and header.split("/")[0] == module and (source_dir / "src" / header).is_file():
            return fault_between_rooms(path, module, header.split("/")[1:])
        return ('write "scree/MODULE/NAME.hpp"; for a header beside the sources of the same module '
                'its name in the same folder, "MODULE/ROOM/NAME.hpp" elsewhere')
    if not (source_dir / "include" / header).is_file():
        return "no such header under include/"
    target = header.split("/")[1]
    if module == MAIN:
        return None
    if target == module:
        return fault_between_rooms(path, module, header.split("/")[2:])
    if target not in BELOW[module]:
        below = ", ".join(BELOW[module]) or "nothing"
        return (f"{target} does not stand below {module}, which may include {below}; "
                f"move what is needed down, or pass it in from above")
    for hidden, why in HIDDEN.get(module, []):
        if header.startswith(hidden):
            return f"hidden from {module}: {why}"
    return None


def fault_of_first_include(path, header, source_dir):
    """Fault of a source whose first include is @p header, not the header of the same name; or None."""
    if path.suffix != ".cpp" or path.parts[0] != "src" or path.as_posix() == "src/main.cpp":
        return None
    below = Path(*path.parts[1:]).with_suffix(".hpp")
    own = [top / below for top in (Path("include/scree"), Path("src")) if (source_dir / top / below).is_file()]
    if not own or header in (own[0].name, Path(*own[0].parts[1:]).as_posix()):
        return None
    return f"include {own[0].name} first, so that it is seen to compile by itself"


def faults(source_dir):
    """All faults of a source tree, as text `file:line: #include ...: what is wrong`."""
    found = []
    files = [f for top in ("src", "include") for f in sorted((source_dir / top).rglob("*.[ch]pp"))]
    for file in files:
        path = file.relative_to(source_dir)
        module = module_of(path)
        if module != MAIN and module not in BELOW:
            found.append(f"{path}:1: not in a module: put it in src/MODULE or include/scree/MODULE, "
                         f"and a new module into the table of tests/hygiene/floors.py")
            continue
        first = True
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if match:
                problem = (fault(path, module, match[1], match[2], source_dir)
                           or (fault_of_first_include(path, match[2], source_dir) if first else None))
                first = False
                if problem:
                    found.append(f"{path}:{number}: #include {match[2]}: {problem}")
    for file in sorted((source_dir / "tests").rglob("*.[ch]pp")):
        for number, line in enumerate(file.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            path = file.relative_to(source_dir)
            problem = match and fault_of_test(path, match[2], source_dir)
            if problem:
                found.append(f"{path}:{number}: #include {match[2]}: {problem}")
    return found, len(files)


def main():
    found, count = faults(Path(sys.argv[1]))
    for line in found:
        print(line)
    print(f"floors: {count} files, {len(found)} faults")
    return 1 if found or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
