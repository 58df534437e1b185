"""Writes template-keys.tsv: keys of the chunk key encoding "template", by the package zarr-template.

    python -m venv py && py/bin/pip install zarr-template==0.1.0
    py/bin/python make_template_keys.py

Each line has a template, a separator, an index, and the key.
"""

import pathlib
import random

from zarr_template.impl import TemplateChunkKeyEncoder

random.seed(7)
LITERALS = ["", "c/", "images/", "a{{b}}", "x_", "ä", "level.1/"]
BETWEEN = ["/", ".", "_", "-z", "/y/", "}}", ":"]
ENDS = ["", ".tiff", "/end", "_0"]


def place(index):
    return "{%s%s}" % (index, random.choice(["", "", ":02", ":05"]))


lines = []
while len(lines) < 400:
    rank = random.randint(1, 5)
    index = [random.choice([0, 7, 12, 345, 10**9 + 3]) for _ in range(rank)]
    named = random.sample(range(rank), random.randint(0, rank))
    places = [place(d if random.random() < 0.6 else d - rank) for d in named]
    if len(named) < rank:
        places.insert(random.randint(0, len(places)), place("*"))
    template = random.choice(LITERALS)
    for i, each in enumerate(places):
        template += (random.choice(BETWEEN) if i else "") + each
    template += random.choice(ENDS)
    separator = random.choice(["/", ".", "_", "-"])
    key = TemplateChunkKeyEncoder.from_format(template, separator).encode(index)
    lines.append("\t".join([template, separator, ",".join(map(str, index)), key]))
(pathlib.Path(__file__).parent / "template-keys.tsv").write_text("\n".join(lines) + "\n")
