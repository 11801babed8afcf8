"""Write expected.json of the golden pages named on the command line."""

import json
import sys

from tests.pages import FOLDER, told_of

for slug in sys.argv[1:]:
    told = json.dumps(told_of(slug), indent=2, ensure_ascii=False)
    (FOLDER / slug / "expected.json").write_text(told + "\n", "utf-8")
