"""What others find in the three scenes: Dosta et al., Computer Physics Communications 296 (2024) 109066."""
import numpy

# Drum: grains in zone 2 (x < 0, z < 0) and zone 1 (x > 0, z > 0) over time, s. M1 are the small ones.
DRUM_TIMES = numpy.arange(0.5, 5, 0.5)
DRUM = {
    "M1 in zone 2": {"LIGGGHTS": [17904, 9869, 21, 5984, 17016, 6136, 1471, 8275, 12196],
                     "MUSEN": [17957, 9899, 22, 6381, 17107, 5469, 1468, 9134, 11829]},
    "M2 in zone 2": {"LIGGGHTS": [489, 2026, 3172, 2495, 1100, 2410, 2968, 2171, 1677],
                     "MUSEN": [477, 1965, 3195, 2459, 1055, 2512, 2962, 2117, 1742]},
    "M1 in zone 1": {"LIGGGHTS": [3528, 1, 456, 7521, 1985, 3, 1934, 5626, 973],
                     "MUSEN": [3442, 1, 485, 7456, 1799, 2, 2036, 5506, 833]},
}
DRUM_FIRST_PEAK = {"time": 0.6, "LIGGGHTS": 22861, "MUSEN": 23064}  # of M1 in zone 2

# Silo: grains above the lip of the cone.
SILO_TIMES = numpy.arange(1, 5)
SILO = {"LIGGGHTS": [76015, 51271, 27007, 3953], "MUSEN": [75710, 51156, 27141, 4341]}
SILO_RATE = {"LIGGGHTS": 24.5e3, "MUSEN": 24.25e3}  # a second, from 0.5 to 3.5 s

# Impact: how far the ball is below its start of z = 0.06 m, mm, over time, s: the mean of seven codes with ten seeds each, and their
# standard deviation where it is given; the deepest, and the speed of the rebound, m/s, in the range of the codes.
IMPACT_TIMES = numpy.array([0.02, 0.03, 0.035, 0.04, 0.06, 0.08, 0.099])
IMPACT = {"mean of seven codes": [-101.96, -136.59, -132.99, -125.07, -95.9, -70.6, -50.2]}
IMPACT_DEVIATION = ["-", 0.13, 0.37, 0.58, 1.5, 2.5, 3.5]
IMPACT_DEEPEST = (-138.9, -138.3)
IMPACT_REBOUND = (1.02, 1.3)

# Impact by LIGGGHTS in steps of 1 us, run for this page on the bed that is given, with the parameters of configs/dosta-impact.yaml.
IMPACT_HERE = {"time_s": [0.02, 0.03, 0.035, 0.04], "depth_mm": [-101.96, -138.17, -132.20, -124.45], "deepest_mm": -138.93, "rebound_m_s": 1.61}

# The corner of that bed: LIGGGHTS, run for this page by Young's modulus, Pa.
CORNER = {1e8: {"deepest_mm": -43.6, "rebound_m_s": 0.81, "processor_s": 185},
          1e9: {"deepest_mm": -43.4, "rebound_m_s": 0.66, "processor_s": 273}}
