# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The elements and lines that may name the author or tell of the page, found in C.

What `credits`, `clues` and `bylines_cjk` would pass over anyhow is left out.

It reads fields of libxml2's structures and calls nothing of it. The tree must not change meanwhile.
"""

from libc.string cimport memcmp, memcpy, memset, strchr, strcmp, strncmp, strstr

cimport lxml.includes.etreepublic as lxml
from lxml.includes.tree cimport XML_ELEMENT_NODE, xmlAttr, xmlNode

lxml.import_lxml__etree()

cdef enum:
    MOST = 24  # words or tags of one kind
    LONGEST = 15

cdef struct Words:
    char texts[MOST][LONGEST + 1]
    size_t sizes[MOST]
    int count
    bint starts[256]  # whether one starts with this byte
    char pairs[32][32]  # whether one starts with two bytes that end with these five bits each


cdef class Sought:
    """The tags, words of classes and steps of addresses that tell of an author."""

    cdef object told, told_hints, told_paths
    cdef Words _tags, _hints, _paths

    def __init__(self, tags, hints, paths):
        self.told, self.told_hints, self.told_paths = tags, hints, paths
        _enter(&self._tags, tags)
        _enter(&self._hints, hints)
        _enter(&self._paths, paths)


cdef Sought _last_sought = None


cdef class Signed:
    """Iterates over every <h1>, and every element of the tags that may tell of an author, in document order."""

    cdef lxml._Element _top
    cdef xmlNode* _node
    cdef Sought _sought

    def __init__(self, lxml._Element top not None, tags, hints, paths):
        global _last_sought
        cdef Sought sought = _last_sought  # a page asks for the same as the one before
        if sought is None or sought.told is not tags or sought.told_hints is not hints or sought.told_paths is not paths:
            _last_sought = sought = Sought(tags, hints, paths)
        self._top = top
        self._node = top._c_node
        self._sought = sought

    def __iter__(self):
        return self

    def __next__(self):
        with nogil:
            self._advance()
        if not self._node:
            raise StopIteration
        return lxml.elementFactory(self._top._doc, self._node)

    cdef void _advance(self) noexcept nogil:
        while self._node:
            self._node = _next_element(self._node, self._top._c_node)
            if self._node and not self._node.ns and self._may_be_signed(self._node):
                return

    cdef bint _may_be_signed(self, xmlNode* node) noexcept nogil:
        cdef const char* name = <const char*>node.name
        cdef bint is_link = strcmp(name, "a") == 0
        cdef xmlAttr* attribute = node.properties
        if not is_link and not _is_one(&self._sought._tags, name):
            return False
        if strcmp(name, "h1") == 0:
            return True
        while attribute:
            if not attribute.ns and attribute.children and self._tells(attribute, is_link):
                return True
            attribute = attribute.next
        return False

    cdef bint _tells(self, xmlAttr* attribute, bint is_link) noexcept nogil:
        cdef const char* name = <const char*>attribute.name
        cdef const char* value = <const char*>attribute.children.content
        if attribute.children.next or not value:
            return True  # a value in several nodes, which no parser makes
        if strcmp(name, "class") == 0 or strcmp(name, "id") == 0:
            return _holds(&self._sought._hints, value)
        if strcmp(name, "itemprop") == 0:
            return strstr(value, "author") != NULL
        if is_link and strcmp(name, "rel") == 0:
            return strstr(value, "author") != NULL
        if is_link and strcmp(name, "href") == 0:
            return _has_step(&self._sought._paths, value) or _asks_for_author(value)
        return False


cdef class Telling:
    """Iterates over what a page may say of itself: <title>, <h1>, <time>, <abbr> and what is called a date, the <script>
    of JSON-LD and the canonical <link>, in document order; `metas` are then the name, the content and whether it is a
    name proper of each <meta>."""

    cdef readonly list metas
    cdef lxml._Element _top
    cdef xmlNode* _node

    def __init__(self, lxml._Element top not None):
        self.metas = []
        self._top = top
        self._node = top._c_node

    def __iter__(self):
        return self

    def __next__(self):
        while True:
            with nogil:
                self._advance()
            if not self._node:
                raise StopIteration
            if strcmp(<const char*>self._node.name, "meta") != 0:
                return lxml.elementFactory(self._top._doc, self._node)
            self._add_meta(self._node)

    cdef _add_meta(self, xmlNode* node):
        content, name, is_named = _value(node, "content"), _value(node, "property") or _value(node, "name"), True
        if not name:
            name, is_named = _value(node, "itemprop") or _value(node, "http-equiv"), False
        if name and content:
            self.metas.append((name, content, is_named))

    cdef void _advance(self) noexcept nogil:
        while self._node:
            self._node = _next_element(self._node, self._top._c_node)
            if self._node and not self._node.ns and self._tells(self._node):
                return

    cdef bint _tells(self, xmlNode* node) noexcept nogil:
        cdef const char* name = <const char*>node.name
        if name[0] == b"m" and strcmp(name, "meta") == 0:
            return _attribute(node, "content") != NULL
        if name[0] == b"s" and strcmp(name, "script") == 0:
            return _may_hold(&_json, _attribute(node, "type"))
        if name[0] == b"l" and strcmp(name, "link") == 0:
            return _may_hold(&_canonical, _attribute(node, "rel"))
        if name[0] == b"t" and (strcmp(name, "title") == 0 or strcmp(name, "time") == 0):
            return True
        if (name[0] == b"h" and strcmp(name, "h1") == 0) or (name[0] == b"a" and strcmp(name, "abbr") == 0):
            return True
        return _is_called_date(node)


cdef bint _is_called_date(xmlNode* node) noexcept nogil:
    """Say whether microdata or RDFa may call an element a date."""
    cdef xmlAttr* attribute = node.properties
    cdef const char* name
    while attribute:
        name = <const char*>attribute.name
        if (name[0] == b"i" and strcmp(name, "itemprop") == 0) or (name[0] == b"p" and strcmp(name, "property") == 0):
            if not attribute.ns and attribute.children and (
                attribute.children.next
                or not attribute.children.content
                or strstr(<const char*>attribute.children.content, "ate") != NULL
            ):
                return True
        attribute = attribute.next
    return False


cdef _value(xmlNode* node, const char* name):
    cdef xmlAttr* attribute = _attribute(node, name)
    return lxml.attributeValue(node, attribute) if attribute else None


cdef xmlAttr* _attribute(xmlNode* node, const char* name) noexcept nogil:
    cdef xmlAttr* attribute = node.properties
    while attribute and (attribute.ns or strcmp(<const char*>attribute.name, name) != 0):
        attribute = attribute.next
    return attribute


cdef bint _may_hold(Words* words, xmlAttr* attribute) noexcept nogil:
    if not attribute or not attribute.children:
        return False
    # A value in several nodes, which no parser makes, is left to the caller.
    return attribute.children.next or not attribute.children.content or _holds(
        words, <const char*>attribute.children.content
    )


cdef xmlNode* _next_element(xmlNode* node, xmlNode* top) noexcept nogil:
    cdef xmlNode* child = node.children if node.type == XML_ELEMENT_NODE else NULL
    while True:
        while child and child.type != XML_ELEMENT_NODE:
            child = child.next
        if child:
            return child
        if node == top:
            return NULL
        child = node.next
        node = node.parent


cdef bint _is_one(Words* words, const char* name) noexcept nogil:
    cdef int k
    if not words.starts[<unsigned char>name[0]]:
        return False
    for k in range(words.count):
        if strcmp(words.texts[k], name) == 0:
            return True
    return False


cdef bint _holds(Words* words, const char* text) noexcept nogil:
    """Say whether a text may hold one of the words in any case; above ASCII there is more than one way to write them."""
    while text[0]:
        if <unsigned char>text[0] >= 128:
            return True
        if words.pairs[text[0] & 31][text[1] & 31] and _starts_any(words, text, 32):
            return True
        text += 1
    return False


cdef bint _has_step(Words* words, const char* text) noexcept nogil:
    """Say whether a slash and one of the words stand somewhere."""
    while True:
        text = strchr(text, b"/")
        if not text:
            return False
        text += 1
        if text[0] and words.pairs[text[0] & 31][text[1] & 31] and _starts_any(words, text, 0):
            return True


cdef bint _asks_for_author(const char* text) noexcept nogil:
    """Say whether "author=" or "mod=space" stands somewhere; few addresses have an equals sign at all."""
    cdef const char* sign = strchr(text, b"=")
    while sign:
        if sign - text >= 6 and memcmp(sign - 6, "author", 6) == 0:
            return True
        if sign - text >= 3 and memcmp(sign - 3, "mod", 3) == 0 and strncmp(sign + 1, "space", 5) == 0:
            return True
        sign = strchr(sign + 1, b"=")
    return False


cdef bint _starts_any(Words* words, const char* text, int bit) noexcept nogil:
    cdef int k
    cdef size_t place
    for k in range(words.count):
        place = 0
        while place < words.sizes[k] and text[place] and (text[place] | bit) == words.texts[k][place]:
            place += 1
        if place == words.sizes[k]:
            return True
    return False


cdef _enter(Words* words, texts):
    if len(texts) > MOST:
        raise ValueError("too many words")
    words.count = 0
    for text in texts:
        word = text.encode("ascii")
        if not 0 < len(word) <= LONGEST:
            raise ValueError(f"no word, or too long a one: {text}")
        memcpy(words.texts[words.count], <const char*>word, len(word) + 1)
        words.sizes[words.count] = len(word)
        words.starts[<unsigned char>word[0]] = True
        for second in word[1:2] or range(32):  # anything may follow a single letter
            words.pairs[word[0] & 31][second & 31] = True
        words.count += 1


cdef extern from "Python.h":
    int PyUnicode_KIND(object text)
    void* PyUnicode_DATA(object text)
    Py_UCS4 PyUnicode_READ(int kind, void* data, Py_ssize_t place) nogil


cdef unsigned short _marks[65536]
cdef object _last_marks = None


def sieve(lines, dict marks not None):
    """Return for each line which marks it holds: the bits of its characters, one or the other of them."""
    global _last_marks
    cdef list found = []
    cdef Py_ssize_t place
    cdef Py_UCS4 character
    cdef unsigned short mark
    cdef int kind
    cdef void* data
    if marks is not _last_marks:
        memset(_marks, 0, sizeof(_marks))
        for told, bits in marks.items():
            _marks[<unsigned short>ord(told)] = bits
        _last_marks = marks
    for line in lines:
        kind, data, mark = PyUnicode_KIND(line), PyUnicode_DATA(line), 0
        for place in range(len(<str?>line)):
            character = PyUnicode_READ(kind, data, place)
            if character < 65536:
                mark |= _marks[character]
        found.append(mark)
    return found


cdef Words _json, _canonical
_enter(&_json, ("ld+json",))
_enter(&_canonical, ("canonical",))
