"""Compile the hot parts of the package while the package is built; where that fails, build it without them."""

import subprocess
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

PACKAGE = "src/thresher"


class CompileHook(BuildHookInterface):  # type: ignore[type-arg]
    """Adds the compiled modules to wheels and to editable installations."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile what can be compiled; the package is whole without it, and slower."""
        if self.target_name != "wheel":
            return
        # A process of its own: no compiler, header or linker can fail in a way that stops the installation.
        done = subprocess.run([sys.executable, "scripts/compile"], cwd=self.root, capture_output=True, text=True)
        if done.returncode:
            for path in self._compiled():  # Python would prefer what an earlier build left to the sources
                path.unlink()
            why = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
            self.app.display_warning(
                f"thresher: its compiled parts could not be built ({why}). It works without them, but extraction takes "
                "about 14 times as long; install a C compiler and Python's headers, and install thresher again."
            )
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        build_data["artifacts"] += [f"/{path.relative_to(self.root).as_posix()}" for path in self._compiled()]

    def _compiled(self) -> list[Path]:
        return list(Path(self.root, PACKAGE).rglob(f"[!.]*{sysconfig.get_config_var('EXT_SUFFIX')}"))
