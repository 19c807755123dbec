"""How long a user waits before anything happens: importing the package, the command line's help and its list of metrics."""

from timing import interleaved, process, verdict


def run() -> None:
    times = interleaved(
        {
            "import numpy": process("-c", "import numpy"),
            "import ordeval": process("-c", "import ordeval"),
            "import numpy, typer": process("-c", "import numpy, typer"),
            "ordeval --help": process("-m", "ordeval", "--help"),
            "ordeval metrics": process("-m", "ordeval", "metrics"),
        },
        rounds=11,
    )
    print("\nstarting, fresh processes")
    for name, seconds in times.items():
        print(f"  {name:<32} {seconds * 1e3:9.1f} ms")
    print(f"  import, against numpy            {verdict(times['import ordeval'] / times['import numpy'], 1.5, at_least=False)}")
    for name in ("help", "metrics"):
        ratio = times["ordeval --help" if name == "help" else "ordeval metrics"] / times["import numpy, typer"]
        print(f"  {name + ', against its imports':<32} {verdict(ratio, 2, at_least=False)}")
