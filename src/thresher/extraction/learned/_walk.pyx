# cython: language_level=3, boundscheck=False, wraparound=False, initializedcheck=False
"""The walk over a page in C: the same table as `walk_tree` gives, from libxml2's own nodes.

The walk itself needs no Python and gives up its lock; only then are the texts made. It reads fields of libxml2's
structures and calls nothing of it, so that it needs no libxml2 to link with. The tree must not change meanwhile.
"""

from array import array

from cpython cimport array as carray
from cpython.unicode cimport PyUnicode_DecodeUTF8, PyUnicode_FromKindAndData
from libc.stdlib cimport free, malloc, realloc
from libc.string cimport memcpy, memset, strcmp, strlen, strstr

cimport lxml.includes.etreepublic as lxml
from lxml.includes.tree cimport (
    XML_CDATA_SECTION_NODE,
    XML_COMMENT_NODE,
    XML_ELEMENT_NODE,
    XML_ENTITY_REF_NODE,
    XML_PI_NODE,
    XML_TEXT_NODE,
    XML_XINCLUDE_END,
    XML_XINCLUDE_START,
    xmlAttr,
    xmlNode,
)

from thresher.extraction.learned import hints as _hints
from thresher.extraction.learned.table import SHAPE_CODE, SOFT, SWOLLEN, TAG_CODE, VOID_BORDERS, Table
from thresher.extraction.tags import BLOCK_LEVEL, SHAPES, STYLES, UNSEEN
from thresher.text import strip_unseen

lxml.import_lxml__etree()

cdef enum:
    BLOCK = 1  # what an element is
    VOID = 2
    HIDDEN = 4
    MAY_SWELL = 8
    IMAGE = 16
    LINK = 32
    STRONG = 64
    EMPHASIS = 128
    CODE = 256
    STYLE = 480  # any of the last four

cdef enum:
    SPACE = 1  # what a character is
    UNSEEN_CHAR = 2
    LINE_END = 4

cdef enum:
    SLOTS = 1024  # of the table of tag names; a power of two, much larger than their number
    LONGEST_NAME = 15

cdef struct Tag:
    char name[LONGEST_NAME + 1]
    int flags
    int code
    int shape  # -1: that of the element around it

cdef struct Ints:
    int* items
    Py_ssize_t size
    Py_ssize_t room

cdef struct State:
    Ints parent, tag, hints, first, end, tags  # of elements
    Ints owner, shape, linked, links, strong, inner, broken, images, breaks  # of blocks
    Ints text_end, pieces_end  # of blocks: in characters and in pieces
    Ints piece_end, piece_style  # of pieces: where the text ends, and its style
    Ints opened, shapes, style  # stacks
    Ints style_flags, style_link  # of styles: flags, and the number of the link or -1
    xmlNode** nodes
    Py_ssize_t nodes_size, nodes_room
    xmlNode** anchors
    Py_ssize_t anchors_size, anchors_room
    unsigned int* chars
    Py_ssize_t chars_size, chars_room
    bint space
    int inner_now, links_now, broken_now, images_now, breaks_now, tags_now
    bint failed  # out of memory

cdef Tag _tags[SLOTS]
cdef unsigned char _kinds[128]  # of the ASCII characters
cdef int* _steps
cdef int* _found
cdef int _hidden_hint = _hints.BIT["hidden"]
cdef int _swollen = SWOLLEN
cdef int _PRE = SHAPE_CODE["pre"]
cdef int _CELL = SHAPE_CODE["td"]
cdef carray.array _steps_array = _hints.STEPS
cdef carray.array _found_array = _hints.FOUND
_steps = _steps_array.data.as_ints
_found = _found_array.data.as_ints


def walk(lxml._Element body not None):
    """Return the table of a page; what is not shown as text is left out."""
    cdef State state
    memset(&state, 0, sizeof(State))
    try:
        with nogil:
            _walk(&state, body._c_node)
        if state.failed:
            raise MemoryError("no memory for the table of a page")
        return _table(&state, body)
    finally:
        _free(&state)


cdef class Nodes:
    """The elements of a table; a Python object is made of one only when it is asked for."""

    cdef lxml._Document _document
    cdef xmlNode** _nodes
    cdef Py_ssize_t _size

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


cdef class Runs:
    """The pieces of each block's text; a list is made of them only when it is asked for."""

    cdef list _texts
    cdef carray.array _text_end, _pieces_end, _piece_end, _piece_style

    def __len__(self):
        return len(self._texts)

    def __getitem__(self, Py_ssize_t place):
        cdef Py_ssize_t size = len(self._texts), piece
        if place < 0:
            place += size
        if not 0 <= place < size:
            raise IndexError("no such block")
        cdef int* text_end = self._text_end.data.as_ints
        cdef int* pieces_end = self._pieces_end.data.as_ints
        cdef int start = text_end[place - 1] if place else 0
        cdef int at = start, end
        cdef str text = self._texts[place]
        run = []
        for piece in range(pieces_end[place - 1] if place else 0, pieces_end[place]):
            end = self._piece_end.data.as_ints[piece]
            run.append((text[at - start : end - start], self._piece_style.data.as_ints[piece]))
            at = end
        return run


cdef class Styles:
    """The styles of the pieces; an address is read only when it is asked for."""

    cdef lxml._Document _document  # which holds the elements
    cdef xmlNode** _anchors
    cdef carray.array _flags, _link

    def __dealloc__(self):
        free(self._anchors)

    def __len__(self):
        return len(self._flags)

    def __getitem__(self, Py_ssize_t place):
        cdef Py_ssize_t size = len(self._flags)
        cdef int flags
        if place < 0:
            place += size
        if not 0 <= place < size:
            raise IndexError("no such style")
        flags = self._flags.data.as_ints[place]
        href = _href_of(self._anchors[self._link.data.as_ints[place]]) if flags & LINK else None
        return flags & LINK != 0, href, flags & STRONG != 0, flags & EMPHASIS != 0, flags & CODE != 0


# The walk: no Python from here to `_free`.

cdef void _walk(State* state, xmlNode* body) noexcept nogil:
    cdef xmlNode* node = body
    cdef xmlNode* child
    _push(state, &state.shapes, 0)
    _push(state, &state.style, 0)
    _push(state, &state.style_flags, 0)
    _push(state, &state.style_link, -1)
    if state.failed:
        return
    child = _enter(state, node)
    while not state.failed:
        if child:
            node = child
            child = _enter(state, node)
            continue
        _leave(state, node)
        if node == body:
            break
        _add_texts(state, node.next)
        child = _next_element(node.next)
        if not child:
            node = node.parent
    _flush(state)


cdef xmlNode* _next_element(xmlNode* node) noexcept nogil:
    while node and node.type != XML_ELEMENT_NODE:
        node = node.next
    return node


cdef Tag* _tag_of(const unsigned char* name) noexcept nogil:
    """Find an element's entry by its name; NULL for names without one."""
    cdef unsigned int code = 0
    cdef int size = 0
    while name[size]:
        code = code * 31 + name[size]
        size += 1
        if size > LONGEST_NAME:
            return NULL
    code &= SLOTS - 1
    while _tags[code].name[0]:
        if strcmp(_tags[code].name, <const char*>name) == 0:
            return &_tags[code]
        code = (code + 1) & (SLOTS - 1)
    return NULL


cdef xmlNode* _enter(State* state, xmlNode* node) noexcept nogil:
    """Open an element; return its first child element, or NULL where there is none or it is to be skipped."""
    cdef Tag* tag = NULL if node.ns else _tag_of(node.name)
    cdef int flags = tag.flags if tag else 0
    state.tags_now += 1
    if flags & BLOCK:
        _flush(state)
        if flags & VOID:
            state.broken_now = 1
            state.breaks_now += 1 if node.name[0] == b"b" else 2 if node.name[0] == b"h" else 0
            return _next_element(node.children)
        _open(state, node, tag)
    elif flags & HIDDEN and not (flags & MAY_SWELL and _is_swollen(node)):
        return NULL
    elif flags & IMAGE:
        state.images_now += 1
    else:
        state.inner_now |= _hints_in(node)
        if flags & STYLE:
            _open_style(state, node, flags & STYLE)
    _add_texts(state, node.children)
    return _next_element(node.children)


cdef void _leave(State* state, xmlNode* node) noexcept nogil:
    cdef Tag* tag = NULL if node.ns else _tag_of(node.name)
    cdef int flags = tag.flags if tag else 0
    cdef int element
    if flags & BLOCK:
        _flush(state)
        if flags & VOID or state.failed:
            return
        state.opened.size -= 1
        state.shapes.size -= 1
        element = state.opened.items[state.opened.size]
        state.end.items[element] = <int>state.owner.size
        state.tags.items[element] = state.tags_now - state.tags.items[element]
    elif flags & STYLE and not state.failed:
        state.style.size -= 1


cdef void _open(State* state, xmlNode* node, Tag* tag) noexcept nogil:
    cdef int above = state.shapes.items[state.shapes.size - 1]
    cdef int parent = state.opened.items[state.opened.size - 1] if state.opened.size else -1
    _push(state, &state.shapes, tag.shape if tag.shape >= 0 else (0 if above == _CELL else above))
    _push(state, &state.parent, parent)
    _push(state, &state.opened, <int>state.tag.size)
    _push(state, &state.tag, tag.code)
    _push(state, &state.hints, _hints_in(node))
    _push(state, &state.first, <int>state.owner.size)
    _push(state, &state.end, 0)
    _push(state, &state.tags, state.tags_now - 1)
    if state.nodes_size == state.nodes_room:
        state.nodes = <xmlNode**>_grown(state, state.nodes, &state.nodes_room, sizeof(xmlNode*))
    if not state.failed:
        state.nodes[state.nodes_size] = node
        state.nodes_size += 1
    state.inner_now = state.links_now = 0


cdef void _open_style(State* state, xmlNode* node, int flag) noexcept nogil:
    cdef int above = state.style.items[state.style.size - 1]
    cdef int link = state.style_link.items[above]
    if flag == LINK:
        state.links_now += 1
        link = <int>state.anchors_size
        if state.anchors_size == state.anchors_room:
            state.anchors = <xmlNode**>_grown(state, state.anchors, &state.anchors_room, sizeof(xmlNode*))
        if state.failed:
            return
        state.anchors[state.anchors_size] = node
        state.anchors_size += 1
    _push(state, &state.style, <int>state.style_flags.size)
    _push(state, &state.style_flags, state.style_flags.items[above] | flag)
    _push(state, &state.style_link, link)


cdef bint _is_swollen(xmlNode* top) noexcept nogil:
    cdef xmlNode* node = top.children
    cdef int count = 0
    while node and node != top:
        if node.type in (XML_ELEMENT_NODE, XML_COMMENT_NODE, XML_PI_NODE, XML_ENTITY_REF_NODE):
            count += 1
            if count > _swollen:
                return True
        if node.type == XML_ELEMENT_NODE and node.children:
            node = node.children
            continue
        while node != top and not node.next:
            node = node.parent
        if node != top:
            node = node.next
    return False


cdef int _hints_in(xmlNode* node) noexcept nogil:
    """Return the hints in an element's attributes; of a value in several nodes, which no parser makes, in the first."""
    cdef xmlAttr* attribute = node.properties
    cdef const char* name
    cdef const char* value
    cdef int mask = 0
    while attribute:
        name = <const char*>attribute.name
        value = <const char*>attribute.children.content if attribute.children else NULL
        if not value:
            value = ""
        if attribute.ns:
            pass
        elif name[0] == b"c" and strcmp(name, "class") == 0 or name[0] == b"r" and strcmp(name, "role") == 0:
            mask |= _hints_of(value)
        elif name[0] == b"i" and (strcmp(name, "id") == 0 or strcmp(name, "itemprop") == 0):
            mask |= _hints_of(value)
        elif name[0] == b"s" and strcmp(name, "style") == 0:
            if strstr(value, "none") and strstr(value, "display"):
                mask |= _hidden_hint
        elif name[0] == b"h" and strcmp(name, "hidden") == 0:
            mask |= _hidden_hint
        elif name[0] == b"a" and strcmp(name, "aria-hidden") == 0 and strcmp(value, "true") == 0:
            mask |= _hidden_hint
        attribute = attribute.next
    return mask


cdef int _hints_of(const char* value) noexcept nogil:
    cdef int state = 0, mask = 0, code
    while value[0]:
        code = <unsigned char>value[0] | 32
        if 97 <= code <= 122:
            state = _steps[state * 26 + code - 97]
            mask |= _found[state]
        elif value[0] == b" ":
            state = 0
        value += 1
    return mask


cdef void _add_texts(State* state, xmlNode* node) noexcept nogil:
    """Add the text nodes that stand here, which are one text however many they are."""
    cdef bint is_pre = not state.failed and state.shapes.items[state.shapes.size - 1] == _PRE
    cdef int progress = 0
    cdef Py_ssize_t solid = 0
    cdef bint any = False
    while node and not state.failed:
        if node.type == XML_TEXT_NODE or node.type == XML_CDATA_SECTION_NODE:
            if node.content and node.content[0]:
                any = True
                if is_pre:
                    progress = _add_lines(state, node.content, progress, &solid)
                else:
                    progress = _add_words(state, node.content, progress)
        elif node.type != XML_XINCLUDE_START and node.type != XML_XINCLUDE_END:
            break
        node = node.next
    if not any or state.failed:
        return
    if is_pre:
        _end_lines(state, progress, solid)
    elif progress & WORD:
        _end_piece(state)
        state.space = (progress & GAP) != 0
    else:
        state.space = True


cdef enum:
    WORD = 1  # progress through words: a word was seen; white space was seen after it
    GAP = 2

cdef enum:
    STARTED = 1  # progress through lines: any seen; past the first; a line end waits; it was a "\r"; it was a "\n"
    LATER = 2
    ENDED = 4
    RETURN = 8
    NEWLINE = 16


cdef int _add_words(State* state, const unsigned char* text, int progress) noexcept nogil:
    cdef unsigned int char
    cdef int kind
    cdef bint has_run = state.piece_end.size > _last(&state.pieces_end)
    while text[0]:
        if text[0] < 128:
            char = text[0]
            kind = _kinds[char]
            text += 1
        else:
            text = _decode(text, &char)
            kind = _kind_of(char)
        if kind & SPACE:
            progress |= GAP
            continue
        if progress & WORD:
            if progress & GAP:
                _put(state, 32)
        elif has_run and (state.space or progress & GAP):
            _put(state, 32)
        progress = WORD
        if not kind & UNSEEN_CHAR:
            _put(state, char)
    return progress


cdef int _add_lines(State* state, const unsigned char* text, int progress, Py_ssize_t* solid) noexcept nogil:
    cdef unsigned int char
    cdef int kind
    while text[0]:
        if text[0] < 128:
            char = text[0]
            kind = _kinds[char]
            text += 1
        else:
            text = _decode(text, &char)
            kind = _kind_of(char)
        if char == 10 and progress & RETURN:
            progress = (progress & ~RETURN) | NEWLINE
            continue
        if progress & ENDED:
            _end_line(state, progress, solid[0])
            _flush(state)
            solid[0] = state.chars_size
            progress = STARTED | LATER
        progress |= STARTED
        if kind & LINE_END:
            progress |= ENDED | (RETURN if char == 13 else 0) | (NEWLINE if char == 10 else 0)
            continue
        if not kind & UNSEEN_CHAR:
            _put(state, char)
        if not kind & SPACE:
            solid[0] = state.chars_size
    return progress


cdef void _end_line(State* state, int progress, Py_ssize_t solid) noexcept nogil:
    if progress & LATER:
        state.chars_size = solid
    _end_piece(state)


cdef void _end_lines(State* state, int progress, Py_ssize_t solid) noexcept nogil:
    _end_line(state, progress, solid)
    if progress & NEWLINE:
        _flush(state)


cdef void _end_piece(State* state) noexcept nogil:
    _push(state, &state.piece_end, <int>state.chars_size)
    _push(state, &state.piece_style, state.style.items[state.style.size - 1])


cdef void _flush(State* state) noexcept nogil:
    """End the run; it becomes a block if it holds any text."""
    cdef int first_piece = _last(&state.pieces_end)
    cdef int start = _last(&state.text_end)
    cdef Py_ssize_t piece
    cdef int at = start, size, flags, linked = 0, strong = 0
    state.space = False
    if state.failed or state.piece_end.size == first_piece:
        return
    if _is_blank(state, start):
        state.chars_size = start
        state.piece_end.size = state.piece_style.size = first_piece
        return
    for piece in range(first_piece, state.piece_end.size):
        size = state.piece_end.items[piece] - at
        at = state.piece_end.items[piece]
        flags = state.style_flags.items[state.piece_style.items[piece]]
        if flags & LINK:
            linked += size
        if flags & STRONG:
            strong += size
    _push(state, &state.owner, state.opened.items[state.opened.size - 1] if state.opened.size else 0)
    _push(state, &state.shape, state.shapes.items[state.shapes.size - 1])
    _push(state, &state.linked, linked)
    _push(state, &state.strong, strong)
    _push(state, &state.links, state.links_now)
    _push(state, &state.inner, state.inner_now)
    _push(state, &state.broken, state.broken_now)
    _push(state, &state.images, state.images_now)
    _push(state, &state.breaks, state.breaks_now)
    _push(state, &state.text_end, <int>state.chars_size)
    _push(state, &state.pieces_end, <int>state.piece_end.size)
    state.inner_now = state.links_now = state.broken_now = state.images_now = state.breaks_now = 0


cdef bint _is_blank(State* state, Py_ssize_t at) noexcept nogil:
    while at < state.chars_size:
        if not _kind_of(state.chars[at]) & SPACE:
            return False
        at += 1
    return True


cdef int _kind_of(unsigned int char) noexcept nogil:
    """Say what Python takes a character for: str.isspace, str.splitlines, and the text module's unseen ones."""
    if char < 128:
        return _kinds[char]
    if char < 0x1680:
        return SPACE | LINE_END if char == 0x85 else SPACE if char == 0xA0 else UNSEEN_CHAR if char == 0xAD else 0
    if char < 0x2000:
        return SPACE if char == 0x1680 else 0
    if char < 0x2065:
        return _kind_of_punctuation(char)
    if char == 0x3000:
        return SPACE
    return UNSEEN_CHAR if char == 0xFEFF or char == 0xFFFE or char == 0xFFFF else 0


cdef int _kind_of_punctuation(unsigned int char) noexcept nogil:
    if char <= 0x200A or char == 0x202F or char == 0x205F:
        return SPACE
    if char == 0x2028 or char == 0x2029:
        return SPACE | UNSEEN_CHAR | LINE_END
    if char == 0x200B or char == 0x200E or char == 0x200F or 0x202A <= char <= 0x202E or 0x2060 <= char <= 0x2064:
        return UNSEEN_CHAR
    return 0


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


cdef inline void _put(State* state, unsigned int char) noexcept nogil:
    if state.chars_size == state.chars_room:
        state.chars = <unsigned int*>_grown(state, state.chars, &state.chars_room, sizeof(unsigned int))
    if not state.failed:
        state.chars[state.chars_size] = char
        state.chars_size += 1


cdef inline void _push(State* state, Ints* column, int value) noexcept nogil:
    if column.size == column.room:
        column.items = <int*>_grown(state, column.items, &column.room, sizeof(int))
    if not state.failed:
        column.items[column.size] = value
        column.size += 1


cdef inline int _last(Ints* column) noexcept nogil:
    return column.items[column.size - 1] if column.size else 0


cdef void* _grown(State* state, void* items, Py_ssize_t* room, size_t width) noexcept nogil:
    """Return twice the room, or what there is and a note that there is no more."""
    cdef Py_ssize_t wanted = room[0] * 2 if room[0] else 256
    cdef void* grown = realloc(items, wanted * width)
    if not grown:
        state.failed = True
        return items
    room[0] = wanted
    return grown


cdef void _free(State* state) noexcept nogil:
    cdef Ints* column = &state.parent
    while column <= &state.style_link:
        free(column.items)
        column += 1
    free(state.nodes)
    free(state.anchors)
    free(state.chars)


cdef _table(State* state, lxml._Element body):
    """Return what the walk found as Python's own columns."""
    texts = _texts(state)
    return Table(
        parent=_column(&state.parent),
        tag=_column(&state.tag),
        hints=_column(&state.hints),
        first=_column(&state.first),
        end=_column(&state.end),
        tags=_column(&state.tags),
        nodes=_nodes(state, body),
        texts=texts,
        owner=_column(&state.owner),
        shape=_column(&state.shape),
        linked=_column(&state.linked),
        links=_column(&state.links),
        strong=_column(&state.strong),
        inner=_column(&state.inner),
        broken=_column(&state.broken),
        images=_column(&state.images),
        breaks=_column(&state.breaks),
        runs=_runs(state, texts),
        styles=_styles(state, body),
    )


cdef carray.array _no_ints = array("i")


cdef carray.array _column(Ints* column):
    cdef carray.array copy = carray.clone(_no_ints, column.size, zero=False)
    if column.size:
        memcpy(copy.data.as_ints, column.items, column.size * sizeof(int))
    return copy


cdef list _texts(State* state):
    cdef Py_ssize_t place, start = 0, end
    cdef list texts = []
    for place in range(state.text_end.size):
        end = state.text_end.items[place]
        texts.append(PyUnicode_FromKindAndData(4, &state.chars[start], end - start))
        start = end
    return texts


cdef Nodes _nodes(State* state, lxml._Element body):
    cdef Nodes nodes = Nodes.__new__(Nodes)
    nodes._document = body._doc
    nodes._nodes = state.nodes
    nodes._size = state.nodes_size
    state.nodes = NULL  # they are the other's to free now
    return nodes


cdef Runs _runs(State* state, list texts):
    cdef Runs runs = Runs.__new__(Runs)
    runs._texts = texts
    runs._text_end = _column(&state.text_end)
    runs._pieces_end = _column(&state.pieces_end)
    runs._piece_end = _column(&state.piece_end)
    runs._piece_style = _column(&state.piece_style)
    return runs


cdef Styles _styles(State* state, lxml._Element body):
    cdef Styles styles = Styles.__new__(Styles)
    styles._document = body._doc
    styles._anchors = state.anchors
    styles._flags = _column(&state.style_flags)
    styles._link = _column(&state.style_link)
    state.anchors = NULL  # they are the other's to free now
    return styles


cdef _href_of(xmlNode* node):
    cdef xmlAttr* attribute = node.properties
    while attribute:
        if not attribute.ns and strcmp(<const char*>attribute.name, "href") == 0:
            return lxml.attributeValue(node, attribute)
        attribute = attribute.next
    return None


def _enter_tags():
    """Fill the table of tag names from the sets that the rest of the package goes by."""
    flags = {tag: BLOCK for tag in BLOCK_LEVEL}
    for tag in VOID_BORDERS:
        flags[tag] |= VOID
    for tag in UNSEEN - BLOCK_LEVEL:
        flags[tag] = HIDDEN | (MAY_SWELL if tag in SOFT else 0)
    flags["img"] = IMAGE
    flags["a"] = LINK
    for tag, style in STYLES.items():
        flags[tag] = STRONG if style == "strong" else EMPHASIS if style == "emphasis" else CODE
    for tag, flag in flags.items():
        _enter_tag(tag.encode(), flag, TAG_CODE.get(tag, 0), SHAPE_CODE[SHAPES[tag]] if tag in SHAPES else -1)


cdef _enter_tag(bytes name, int flags, int code, int shape):
    cdef unsigned int slot = 0
    cdef unsigned char byte
    assert len(name) <= LONGEST_NAME
    for byte in name:
        slot = slot * 31 + byte
    slot &= SLOTS - 1
    while _tags[slot].name[0]:
        slot = (slot + 1) & (SLOTS - 1)
    memcpy(_tags[slot].name, <const char*>name, len(name) + 1)
    _tags[slot].flags = flags
    _tags[slot].code = code
    _tags[slot].shape = shape


def _enter_kinds():
    """Fill the table of the ASCII characters from what Python and the text module say of them."""
    for code in range(128):
        char = chr(code)
        _kinds[code] = (
            (SPACE if char.isspace() else 0)
            | (UNSEEN_CHAR if not strip_unseen(char) else 0)
            | (LINE_END if len(f"a{char}b".splitlines()) > 1 else 0)
        )


_enter_tags()
_enter_kinds()
