from array import array

from thresher.extraction.learned.sheet import Sheet

def fill(sheet: Sheet, mark_of_tag: array[int]) -> None: ...
