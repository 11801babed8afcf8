# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk that lays a page out flat in C: the same layout as `lay_flat_tree` gives, from libxml2's own nodes.

It reads fields of libxml2's structures and calls nothing of it, so that it needs no libxml2 to link with. The tree must
not change meanwhile, nor lose what the layout's elements are asked for later.
"""

from cpython cimport array
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdlib cimport free, realloc
from libc.string cimport memcmp, strlen

cimport lxml.includes.etreepublic as lxml
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_ELEMENT_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)

from thresher.extraction.forum.layout cimport Layout

import array

from thresher.extraction.forum import flat_tree as _tree
from thresher.extraction.forum.layout import CJK_LETTERS, KEPT, NAMING, TELLING
from thresher.extraction.forum.naming import IS_QUOTATION, marks_of_key, marks_of_names, marks_of_tag
from thresher.extraction.tags import BLOCK_LEVEL

cdef extern from "Python.h":
    bint Py_UNICODE_ISSPACE(Py_UCS4 char)
    bint Py_UNICODE_ISDECIMAL(Py_UCS4 char)

lxml.import_lxml__etree()

cdef enum:
    BLOCK = 1  # what an element is
    LINK = 2
    REMOVED = 4

cdef enum:
    CLASS = 1  # what an attribute is
    NAME = 2
    STYLE = 4
    TELLS = 8
    KEEP = 16

cdef enum:
    MOST_KEYS = 10_000  # that are remembered: the same come again on every page of a site
    MOST_TAGS = 500

cdef enum:
    KEY_SLOTS = 512  # of the table of keys of a page; a power of two
    MOST_PAGE_KEYS = 384  # that are kept in it
    MOST_SAME = 1024  # characters of a line that are looked at in one go

cdef enum:
    SLOTS = 512  # of the table of names; a power of two
    MOST_NAMES = 256  # that are kept in it

cdef int _max_elements = _tree.MAX_ELEMENTS
cdef int _max_piece = _tree.MAX_PIECE
cdef int _max_same = _tree.MAX_SAME
cdef double _cjk_letters = CJK_LETTERS
cdef tuple _answers = _tree.ANSWERS
cdef object _answer = _tree.ANSWER
cdef object _key_of = _tree.key_of
cdef object _is_hidden = _tree.is_hidden
cdef int _max_usual = _tree.MAX_USUAL
cdef dict _keys = {}  # by tag, then by classes
cdef int _known = 0  # keys in all of them
cdef int _is_quotation = IS_QUOTATION
cdef array.array _of_ints = array.array("i"), _of_doubles = array.array("d")
cdef object _marks_of_tag = marks_of_tag
cdef object _marks_of_key = marks_of_key
cdef object _marks_of_names = marks_of_names
cdef dict _nothing = {}


def lay_flat(lxml._Element body not None):
    """Return the layout of a page."""
    cdef _Walk walk = _Walk()
    walk.run(body)
    return walk.layout()


cdef class Nodes:
    """The elements of a layout; a Python object is made of one only when it is asked for."""

    cdef lxml._Document _document
    cdef xmlNode** _nodes
    cdef Py_ssize_t _size, _room

    def __dealloc__(self):
        free(self._nodes)

    def __len__(self):
        return self._size

    def __getitem__(self, Py_ssize_t place):
        if place < 0:
            place += self._size
        if not 0 <= place < self._size:
            raise IndexError("no such element")
        return lxml.elementFactory(self._document, self._nodes[place])

    cdef int add(self, xmlNode* node) except -1:
        cdef xmlNode** grown
        if self._size == self._room:
            grown = <xmlNode**>realloc(self._nodes, (self._room * 2 + 1024) * sizeof(xmlNode*))
            if not grown:
                raise MemoryError("no memory for the elements of a page")
            self._nodes = grown
            self._room = self._room * 2 + 1024
        self._nodes[self._size] = node
        self._size += 1
        return 0


cdef class _Names:
    """Names of elements or attributes by where the parser keeps its one copy of each, with what they mean."""

    cdef const unsigned char* _keys[SLOTS]
    cdef int _places[SLOTS]
    cdef int flags[MOST_NAMES]
    cdef list words

    def __cinit__(self):
        self.words = []

    cdef int find(self, const unsigned char* name) noexcept:
        """Return the place of a name, -1 where it is not kept."""
        cdef size_t slot = (<size_t>name >> 3) & (SLOTS - 1)
        while self._keys[slot]:
            if self._keys[slot] == name:
                return self._places[slot]
            slot = (slot + 1) & (SLOTS - 1)
        return -1

    cdef int keep(self, const unsigned char* name, str word, int flags) except -1:
        cdef size_t slot = (<size_t>name >> 3) & (SLOTS - 1)
        cdef int place = len(self.words)
        if place == MOST_NAMES:
            return 0
        while self._keys[slot]:
            slot = (slot + 1) & (SLOTS - 1)
        self._keys[slot] = name
        self._places[slot] = place
        self.flags[place] = flags
        self.words.append(word)
        return 0


cdef class _Key:
    """What tag and classes make of an element, and what they say."""

    cdef str key, names, classes
    cdef int marks, key_marks
    cdef bint may_hide

    def __init__(self, str tag, str classes, str key, str names):
        self.key, self.names, self.classes = key, names, classes
        self.key_marks = _marks_of_key(key) | _marks_of_tag(tag)
        self.marks = self.key_marks | _marks_of_names(names)
        self.may_hide = "hidden" in key


cdef struct Element:
    int parent, end, first_line, last_line, flags, marks


cdef struct KeySlot:
    size_t hash
    const unsigned char* tag
    const unsigned char* classes
    Py_ssize_t size
    int place  # of the key, from 1 on


cdef struct Piece:
    int start, owner


cdef struct Weight:
    double letters, fresh
    int piece  # the first of the line


cdef class _Walk:
    """The state of one walk: the open element, and the line since the last border of a block."""

    cdef Nodes nodes
    cdef list attributes, tags, keys, names, telling, texts
    cdef Element* elements
    cdef Piece* pieces
    cdef Weight* weights  # of the lines
    cdef Py_ssize_t element_room, piece_room, weight_room
    cdef int count, piece_count, line_count
    cdef _Names tag_names, attribute_names
    cdef dict known_marks  # by names
    cdef KeySlot key_slots[KEY_SLOTS]
    cdef list page_keys
    cdef set met
    cdef Py_UCS4* chars  # of the line
    cdef Py_ssize_t size, room
    cdef bint is_wide  # a character of the line is not of ASCII
    cdef double letters, linked
    cdef int current, links, hider
    cdef int line_start  # the first piece of the line

    def __cinit__(self):
        self.nodes = Nodes()
        self.attributes, self.tags, self.keys, self.names, self.telling, self.texts = [], [], [], [], [], []
        self.tag_names, self.attribute_names, self.met, self.known_marks = _Names(), _Names(), set(), {}
        self.page_keys = []
        self.current = self.hider = -1

    def __dealloc__(self):
        free(self.chars)
        free(self.elements)
        free(self.pieces)
        free(self.weights)

    cdef Layout layout(self):
        """Return what was found."""
        cdef Layout layout = Layout.__new__(Layout)
        layout.elements, layout.attributes, layout.tags = self.nodes, self.attributes, self.tags
        layout.keys, layout.names, layout.telling, layout.texts = self.keys, self.names, self.telling, self.texts
        self.copy_elements(layout)
        self.copy_lines(layout)
        return layout

    cdef int copy_elements(self, Layout layout) except -1:
        cdef int* parents
        cdef int* ends
        cdef int* first_line
        cdef int* last_line
        cdef int* marks
        cdef int number, end = 0
        cdef list quotes = []
        cdef array.array columns = array.clone(_of_ints, 5 * self.count, False)
        cdef int[::1] view = columns
        cdef int count = self.count
        parents = columns.data.as_ints
        ends, first_line, last_line, marks = parents + count, parents + 2 * count, parents + 3 * count, parents + 4 * count
        for number in range(count):
            parents[number], ends[number] = self.elements[number].parent, self.elements[number].end
            first_line[number] = self.elements[number].first_line
            last_line[number] = self.elements[number].last_line
            marks[number] = self.elements[number].marks
            if marks[number] & _is_quotation and number >= end:
                quotes.append(number)
                end = ends[number]
        layout.parents, layout.ends, layout.first_line = view[:count], view[count:2 * count], view[2 * count:3 * count]
        layout.last_line, layout.marks = view[3 * count:4 * count], view[4 * count:]
        layout.quotes = quotes
        return 0

    cdef int copy_lines(self, Layout layout) except -1:
        cdef int count = self.line_count, number, pieces = self.piece_count
        cdef array.array doubles = array.clone(_of_doubles, 3 * count + 1, False)
        cdef array.array ints = array.clone(_of_ints, 2 * pieces + count + 1, False)
        cdef double[::1] weights = doubles
        cdef int[::1] places = ints
        cdef double mass = 0.0
        for number in range(count):
            weights[number], weights[count + number] = self.weights[number].letters, self.weights[number].fresh
            weights[2 * count + number] = mass
            mass += self.weights[number].fresh
            places[2 * pieces + number] = self.weights[number].piece
        weights[3 * count] = mass
        places[2 * pieces + count] = pieces
        for number in range(pieces):
            places[number], places[pieces + number] = self.pieces[number].start, self.pieces[number].owner
        layout.letters, layout.fresh, layout.masses = weights[:count], weights[count:2 * count], weights[2 * count:]
        layout.starts, layout.owners, layout.pieces = places[:pieces], places[pieces:2 * pieces], places[2 * pieces:]
        return 0

    cdef int run(self, lxml._Element body) except -1:
        cdef xmlNode* top = body._c_node
        cdef xmlNode* node = top
        cdef xmlNode* child
        self.nodes._document = body._doc
        child = self.enter(node)
        while self.count <= _max_elements:
            if child:
                node = child
                child = self.enter(node)
                continue
            self.leave()
            if node == top:
                break
            self.add_texts(node.next)
            child = _next_element(node.next)
            if not child:
                node = node.parent
        self.end_line()
        while self.current >= 0:
            self.elements[self.current].end = self.count
            self.elements[self.current].last_line = self.line_count
            self.current = self.elements[self.current].parent
        return 0

    cdef xmlNode* enter(self, xmlNode* node) except? NULL:
        """Open an element; return its first child element, or NULL where there is none or it is to be skipped."""
        cdef int number = self.count, flags
        cdef int place = -1 if node.ns else self.tag_names.find(node.name)
        cdef str tag
        cdef Element* element
        if place >= 0:
            tag, flags = <str>self.tag_names.words[place], self.tag_names.flags[place]
        else:
            tag = lxml.namespacedName(node)
            flags = _tag_flags(tag)
            if not node.ns:
                self.tag_names.keep(node.name, tag, flags)
        if flags & BLOCK:
            self.end_line()
        self.nodes.add(node)
        self.tags.append(tag)
        self.elements = <Element*>_grown(self.elements, number, &self.element_room, sizeof(Element))
        element = &self.elements[number]
        self.count = number + 1
        element.parent, element.end, element.flags = self.current, number + 1, flags
        element.first_line = element.last_line = self.line_count
        self.current = number
        if flags & LINK:
            self.links += 1
        self.name(node, number, tag)
        if flags & REMOVED or number >= _max_elements:
            return NULL
        self.add_texts(node.children)
        return _next_element(node.children)

    cdef int name(self, xmlNode* node, int number, str tag) except -1:
        """Keep what an element's attributes name it, and whether they tell more."""
        cdef xmlAttr* attribute = node.properties
        cdef int flags, place
        cdef str style = "", others = None, name, value, key, names
        cdef const unsigned char* classes = b""
        cdef _Key known = None
        cdef dict kept = None
        cdef bint is_telling = False
        while attribute:
            if not attribute.ns:
                place = self.attribute_names.find(attribute.name)
                flags = self.attribute_names.flags[place] if place >= 0 else self.attribute_flags(attribute)
                if flags & CLASS and _is_one_text(attribute):
                    classes = attribute.children.content
                elif flags & CLASS:
                    known = self.key_of(tag, _value_of(node, attribute))
                elif flags:
                    name = <str>self.attribute_names.words[place] if place >= 0 else _word(attribute.name)
                    value = _value_of(node, attribute)
                    if flags & NAME:
                        others = value if others is None else f"{others} {value}"
                    elif flags & STYLE:
                        style = value
                    elif flags & TELLS:
                        is_telling = True
                    if flags & KEEP:
                        if kept is None:
                            kept = {}
                        kept[name] = value
            attribute = attribute.next
        if known is None:
            known = self.key_at(node, tag, classes)
        if is_telling:
            self.telling.append(number)
            kept["class"] = known.classes
        self.attributes.append(_nothing if kept is None else kept)
        key = known.key
        self.keys.append(key)
        if others is None:
            self.names.append(known.names)
            self.elements[number].marks = known.marks
        else:
            names = f"{known.names} {_without_numbers(others.lower(), 32)}"
            self.names.append(names)
            self.elements[number].marks = known.key_marks | self.marks_of(names)
        if self.hider < 0 and (known.may_hide or "none" in style) and _is_hidden(key, style):
            self.hider = number
        return 0

    cdef int marks_of(self, str names) except -1:
        known = self.known_marks.get(names)
        if known is None:
            known = self.known_marks[names] = _marks_of_names(names)
        return known

    cdef int attribute_flags(self, xmlAttr* attribute) except -1:
        """Return what an attribute met for the first time is."""
        cdef str name = _word(attribute.name)
        cdef int flags = CLASS if name == "class" else NAME if name in NAMING else STYLE if name == "style" else 0
        flags |= (TELLS if name in TELLING else 0) | (KEEP if name in KEPT else 0)
        self.attribute_names.keep(attribute.name, name, flags)
        return flags

    cdef _Key key_at(self, xmlNode* node, str tag, const unsigned char* classes):
        """Return the key of an element by the parser's copy of its tag and by its classes as they stand there."""
        cdef size_t hash = <size_t>node.name >> 3
        cdef Py_ssize_t size = 0
        cdef KeySlot* slot
        cdef _Key known
        cdef int place
        while classes[size]:
            hash = (hash ^ classes[size]) * 1099511628211U
            size += 1
        hash ^= hash >> 29
        place = hash & (KEY_SLOTS - 1)
        slot = &self.key_slots[place]
        while slot.place:
            if slot.hash == hash and slot.size == size and slot.tag == node.name and not node.ns:
                if memcmp(slot.classes, classes, size) == 0:
                    return <_Key>self.page_keys[slot.place - 1]
            place = (place + 1) & (KEY_SLOTS - 1)
            slot = &self.key_slots[place]
        known = self.key_of(tag, PyUnicode_DecodeUTF8(<const char*>classes, size, "strict"))
        if not node.ns and len(self.page_keys) < MOST_PAGE_KEYS:
            self.page_keys.append(known)
            slot.hash, slot.tag, slot.classes, slot.size = hash, node.name, classes, size
            slot.place = len(self.page_keys)
        return known

    cdef _Key key_of(self, str tag, str classes):
        global _known
        cdef dict by_classes = <dict>_keys.get(tag)
        if by_classes is None:
            if len(_keys) >= MOST_TAGS:
                return _Key(tag, classes, *_key_of(tag, classes))
            by_classes = _keys[tag] = {}
        known = by_classes.get(classes)
        if known is None:
            known = _Key(tag, classes, *_key_of(tag, classes))
            if len(classes) <= _max_usual:
                if _known >= MOST_KEYS:
                    for other in _keys.values():
                        (<dict>other).clear()
                    _known = 0
                by_classes[classes] = known
                _known += 1
        return <_Key>known

    cdef int leave(self) except -1:
        """Close an element."""
        cdef int number = self.current
        cdef Element* element = &self.elements[number]
        if element.flags & BLOCK:
            self.end_line()
        elif element.flags & LINK:
            self.links -= 1
        element.end = self.count
        if number == self.hider:
            self.hider = -1
        # The open line counts for an inline element that ends in it.
        element.last_line = self.line_count + (1 if self.piece_count > self.line_start else 0)
        self.current = element.parent
        return 0

    cdef int add_texts(self, xmlNode* node) except -1:
        """Add the text nodes that stand here to the line: one piece, however many they are; white space is one space."""
        cdef const unsigned char* text
        cdef unsigned int char
        cdef Py_ssize_t start = self.size
        cdef int seen = 0
        cdef bint found = False, is_blank = True, is_space, was_space = False
        cdef double letters = 0.0
        while node:
            if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
                text = node.content
                found = found or (text and text[0])
                while text and text[0]:
                    if text[0] < 128:
                        char = text[0]
                        text += 1
                    else:
                        text = _decode(text, &char)
                        self.is_wide = True
                    is_space = Py_UNICODE_ISSPACE(<Py_UCS4>char)
                    is_blank = is_blank and is_space
                    seen += 1
                    if seen > _max_piece:
                        if not is_blank:
                            break
                    elif not is_space:
                        self.put(<Py_UCS4>char)
                        letters += _cjk_letters if char > 0x303f and _is_cjk(char) else 1.0
                    elif not was_space:
                        self.put(32)
                    was_space = is_space
            elif node.type != XML_XINCLUDE_START and node.type != XML_XINCLUDE_END:
                break
            node = node.next
        if not found:
            return 0
        if is_blank and self.piece_count == self.line_start:
            self.size = start
            return 0
        self.pieces = <Piece*>_grown(self.pieces, self.piece_count, &self.piece_room, sizeof(Piece))
        self.pieces[self.piece_count].start, self.pieces[self.piece_count].owner = <int>start, self.current
        self.piece_count += 1
        self.letters += letters
        if self.links:
            self.linked += letters
        return 0

    cdef int put(self, Py_UCS4 char) except -1:
        cdef Py_UCS4* grown
        if self.size == self.room:
            grown = <Py_UCS4*>realloc(self.chars, (self.room * 2 + 1024) * sizeof(Py_UCS4))
            if not grown:
                raise MemoryError("no memory for a line of text")
            self.chars = grown
            self.room = self.room * 2 + 1024
        self.chars[self.size] = char
        self.size += 1
        return 0

    cdef int end_line(self) except -1:
        """End the line, if there is one."""
        cdef str text, plain
        cdef double fresh = 0.0
        cdef Weight* weight
        if self.piece_count == self.line_start:
            return 0
        text = PyUnicode_FromKindAndData(4, self.chars, self.size)
        if self.is_wide or _max_same > MOST_SAME:
            plain = _without_numbers((<str>(<str>text[:_max_same]).strip()).casefold(), 48)
        else:
            plain = self.plain_ascii()
        if plain.startswith(_answers):
            plain = _answer.sub("", plain)
        if self.hider < 0 and plain not in self.met:
            self.met.add(plain)
            fresh = max(0.0, self.letters - self.linked)
        self.weights = <Weight*>_grown(self.weights, self.line_count, &self.weight_room, sizeof(Weight))
        weight = &self.weights[self.line_count]
        weight.letters, weight.fresh, weight.piece = self.letters, fresh, self.line_start
        self.line_count += 1
        self.texts.append(text)
        self.line_start = self.piece_count
        self.is_wide = False
        self.size = 0
        self.letters = self.linked = 0.0
        return 0


    cdef str plain_ascii(self):
        """Return what lines that say the same have in common, of one in ASCII: in small letters, without numbers."""
        cdef unsigned char plain[MOST_SAME]
        cdef Py_ssize_t place = 0, end = min(self.size, _max_same), size = 0
        cdef unsigned int char
        cdef bint was_digit = False
        while place < end and <unsigned int>self.chars[place] == 32:
            place += 1
        while end > place and <unsigned int>self.chars[end - 1] == 32:
            end -= 1
        while place < end:
            char = <unsigned int>self.chars[place]
            place += 1
            if 48 <= char <= 57:
                if not was_digit:
                    plain[size] = 48
                    size += 1
                was_digit = True
                continue
            was_digit = False
            plain[size] = <unsigned char>(char + 32 if 65 <= char <= 90 else char)
            size += 1
        return PyUnicode_FromKindAndData(1, plain, size)


cdef void* _grown(void* column, Py_ssize_t size, Py_ssize_t* room, Py_ssize_t width) except NULL:
    """Return a column that has room for one more."""
    cdef void* grown
    if size < room[0]:
        return column
    grown = realloc(column, (room[0] * 2 + 1024) * width)
    if not grown:
        raise MemoryError("no memory for the elements of a page")
    room[0] = room[0] * 2 + 1024
    return grown


cdef int _tag_flags(str tag) except -1:
    return (BLOCK if tag in BLOCK_LEVEL else 0) | (LINK if tag == "a" else 0) | (REMOVED if tag in _tree.REMOVED else 0)


cdef str _word(const unsigned char* name):
    return PyUnicode_DecodeUTF8(<const char*>name, strlen(<const char*>name), "replace")


cdef inline bint _is_one_text(xmlAttr* attribute) noexcept:
    """Say whether the value of an attribute is a single text, as parsers make it."""
    cdef xmlNode* text = attribute.children
    return text != NULL and text.next == NULL and text.type == XML_TEXT_NODE and text.content != NULL


cdef str _value_of(xmlNode* node, xmlAttr* attribute):
    """Return the value of an attribute; parsers make one text of it, which needs no copy."""
    cdef xmlNode* text = attribute.children
    if not text:
        return ""
    if not _is_one_text(attribute):
        return lxml.attributeValue(node, attribute)
    return PyUnicode_DecodeUTF8(<const char*>text.content, strlen(<const char*>text.content), "strict")


cdef inline bint _is_digit(Py_UCS4 char):
    return 48 <= char <= 57 if char < 128 else Py_UNICODE_ISDECIMAL(char)


cdef str _without_numbers(str text, Py_UCS4 instead):
    """Return a text with one character in the place of each of its numbers."""
    cdef Py_UCS4 char
    cdef Py_ssize_t size = 0
    cdef bint was_digit = False
    cdef Py_UCS4* chars
    for char in text:
        if _is_digit(char):
            was_digit = True
            break
    if not was_digit:
        return text
    chars = <Py_UCS4*>realloc(NULL, len(text) * sizeof(Py_UCS4))
    if not chars:
        raise MemoryError("no memory for a line of text")
    was_digit = False
    for char in text:
        if not _is_digit(char):
            chars[size] = char
            size += 1
            was_digit = False
        elif not was_digit:
            chars[size] = instead
            size += 1
            was_digit = True
    try:
        return PyUnicode_FromKindAndData(4, chars, size)
    finally:
        free(chars)


cdef xmlNode* _next_element(xmlNode* node) noexcept nogil:
    while node and node.type != XML_ELEMENT_NODE:
        node = node.next
    return node


cdef bint _is_cjk(unsigned int char) noexcept nogil:
    return 0x3040 <= char <= 0x30FF or 0x3400 <= char <= 0x9FFF or 0xAC00 <= char <= 0xD7AF


cdef const unsigned char* _decode(const unsigned char* text, unsigned int* char) noexcept nogil:
    """Read one character above ASCII; a byte that is no UTF-8, which no parser leaves, becomes U+FFFD."""
    cdef int more = 1 if text[0] < 0xE0 else 2 if text[0] < 0xF0 else 3
    cdef unsigned int code = text[0] & (0x3F >> more)
    cdef int step
    for step in range(1, more + 1):
        if text[step] & 0xC0 != 0x80:
            char[0] = 0xFFFD
            return text + 1
        code = code << 6 | (text[step] & 0x3F)
    char[0] = code if code <= 0x10FFFF else 0xFFFD
    return text + more + 1
