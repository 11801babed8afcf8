"""The image: built on a base that is there, and looked at: small, without root, without a compiler."""

import json
import os
import subprocess
import sys

from trial import ROOT, say

MOST_MB = 450  # what Thresher, its libraries and Python add to the base
TOOLS = ("gcc", "cc", "g++", "clang", "ld", "make", "pip", "pip3")


def docker(arguments, *words, **terms):
    line = [arguments.docker, "-H", arguments.engine, *words]
    return subprocess.run(line, check=True, text=True, cwd=ROOT, **terms)


def answer(arguments, *words):
    return docker(arguments, *words, stdout=subprocess.PIPE).stdout.strip()


def build(arguments):
    """Build the image, unless one is named, and return its name."""
    if arguments.image:
        return arguments.image
    image = "thresher:smoke"
    words = ["build", "-q", "--network", "host", "--build-arg", f"BASE={arguments.base}", "-t", image, "."]
    docker(arguments, *words, env=os.environ | {"DOCKER_BUILDKIT": "0"})
    return image


def inspect(arguments, image):
    """End with an error where the image is not as small and harmless as it is said to be."""
    found = json.loads(answer(arguments, "image", "inspect", image))[0]
    base = json.loads(answer(arguments, "image", "inspect", arguments.base))[0]["Size"]
    added_mb = (found["Size"] - base) / 1e6
    run = ["run", "--rm", "--read-only", "--network", "none", "--cap-drop", "ALL", "--entrypoint", "sh", image, "-c"]
    user = answer(arguments, *run, "id -u")
    tools = answer(arguments, *run, f"for each in {' '.join(TOOLS)}; do command -v $each; done; true")
    written = answer(arguments, *run, "for each in /x /opt/thresher/x; do touch $each && echo $each; done; true")
    version = answer(arguments, "run", "--rm", "--read-only", "--tmpfs", "/tmp", "--network", "none", image, "version")
    say(f"image {image}: {found['Size'] / 1e6:.0f} MB, {added_mb:.0f} MB more than its base; user {user}; {version}")
    faults = [
        f"it adds {added_mb:.0f} MB, more than {MOST_MB}" if added_mb > MOST_MB else "",
        f"it runs as user {user}" if user == "0" or found["Config"]["User"] in ("", "0", "root") else "",
        f"it has {tools.split()}" if tools else "",
        f"it wrote {written.split()}" if written else "",
    ]
    if any(faults):
        sys.exit("smoke: the image is not as it should be: " + "; ".join(filter(None, faults)))
