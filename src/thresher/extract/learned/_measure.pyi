from array import array

from thresher.extract.learned.about import About

def measure(texts: list[str], about: About) -> array[float]: ...
