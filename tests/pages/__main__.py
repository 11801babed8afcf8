"""Write expected.json of the golden pages named on the command line, and the formats that they have a file for."""

import json
import sys

from tests.pages import FOLDER, formats_of, told_of, written_of

for slug in sys.argv[1:]:
    told = json.dumps(told_of(slug), indent=2, ensure_ascii=False)
    (FOLDER / slug / "expected.json").write_text(told + "\n", "utf-8")
    for name in formats_of(slug):
        (FOLDER / slug / name).write_text(written_of(slug, name), "utf-8")
