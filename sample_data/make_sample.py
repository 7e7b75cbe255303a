"""Write the simulated sample, or a collection of the size of TREC-5, as files.

    python sample_data/make_sample.py                      the sample, beside this script
    python sample_data/make_sample.py OUT --size trec5     61 runs x 50 topics x 1000 documents

The same command gives the same bytes: the seed is fixed and gzip gets no time stamp.
"""

import argparse
import gzip
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))  # so that the script also works before an install

from core.simulate import (  # noqa: E402
    SAMPLE_SEED,
    SAMPLE_SHAPE,
    TREC5_SHAPE,
    SimulatedFiles,
    simulate_collection,
)

SHAPES = {"sample": SAMPLE_SHAPE, "trec5": TREC5_SHAPE}


def main() -> None:
    """Simulate a collection and write it."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", nargs="?", type=Path, default=HERE)
    parser.add_argument("--size", choices=SHAPES, default="sample")
    parser.add_argument("--seed", type=int, default=SAMPLE_SEED)
    options = parser.parse_args()
    if options.size != "sample" and options.folder.resolve() == HERE:
        parser.error("give a folder of its own for a collection that is not the sample")
    files = simulate_collection(seed=options.seed, **SHAPES[options.size])
    write(files, options.folder)


def write(files: SimulatedFiles, folder: Path) -> None:
    """Write runs/*.run.gz and qrels.txt.gz."""
    runs = folder / "runs"
    runs.mkdir(parents=True, exist_ok=True)
    for name, data in files.runs.items():
        (runs / f"{name}.run.gz").write_bytes(gzip.compress(data, mtime=0))
    (folder / "qrels.txt.gz").write_bytes(gzip.compress(files.qrels, mtime=0))


if __name__ == "__main__":
    main()
