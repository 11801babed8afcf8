from lxml import etree

from thresher.extract.forum.layout import Layout

def lay_flat(body: etree._Element) -> Layout: ...
