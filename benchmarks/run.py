"""Speed as ratios inside one run: against peers, and against the physical limit.  `make bench` runs all of it.

python benchmarks/run.py [SUBJECT ...]   of counting, growth, inference, metrics, papers, paths, probability, ranking, raters_speed, scanning, starting
"""

import os
import platform
import sys

os.environ.update(dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1"))

import counting
import growth
import inference
import metrics
import numpy
import papers
import paths
import probability
import ranking
import raters_speed
import scanning
import sklearn
import starting

SUBJECTS = {
    subject.__name__: subject.run
    for subject in (counting, growth, inference, metrics, papers, paths, probability, ranking, raters_speed, scanning, starting)
}

if __name__ == "__main__":
    print(
        f"Python {platform.python_version()}, numpy {numpy.__version__}, scikit-learn {sklearn.__version__}, {os.cpu_count()} cores"
    )
    for name in sys.argv[1:] or SUBJECTS:
        SUBJECTS[name]()
