from lxml import etree

from thresher.extraction.learned.table import Table

def walk(body: etree._Element) -> Table: ...
