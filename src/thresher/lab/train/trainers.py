"""The trainers by the name of the algorithm that they train."""

from thresher.lab.train.dgwc import FITS, DgwcTrainer
from thresher.lab.train.far_sw import FarSwTrainer

LineTrainer = DgwcTrainer | FarSwTrainer

LINE_TRAINERS: dict[str, LineTrainer] = {
    **{name: DgwcTrainer(name) for name in FITS},
    "far-sw": FarSwTrainer("far-sw"),
    "far-sw-2": FarSwTrainer("far-sw-2"),
}
