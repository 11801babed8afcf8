from array import array

from thresher.extraction.learned.about import About

def measure(texts: list[str], about: About) -> array[float]: ...
