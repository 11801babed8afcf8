from lxml import etree

from thresher.extract.learned.table import Table

def walk(body: etree._Element) -> Table: ...
