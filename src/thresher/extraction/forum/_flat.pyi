from lxml import etree

from thresher.extraction.forum.layout import Layout

def lay_flat(body: etree._Element) -> Layout: ...
