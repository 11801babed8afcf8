from array import array

from thresher.extract.learned.descend import Forest

def add_leaves(forest: Forest, rows: array[float], width: int, out: array[float]) -> None: ...
