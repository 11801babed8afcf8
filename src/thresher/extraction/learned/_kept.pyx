# cython: language_level=3, boundscheck=False, wraparound=False
"""The chosen blocks of a table in C: those that `kept` gives.

A frozen value sets its fields by way of Python, which takes longer than all else; here they are set as they are kept.
"""

from cpython cimport array as carray
from cpython.type cimport PyType_GenericAlloc

from thresher.extraction.learned.table import SHAPE_NAMES, TAG_CODE, TAGS
from thresher.extraction.marks import GAP, MAX_UP
from thresher.model.content import FRAMES
from thresher.model import Block, Span

cdef extern from *:
    """
    static int put_field(PyObject* field, PyObject* object, PyObject* value) {
        return Py_TYPE(field)->tp_descr_set(field, object, value);
    }
    """
    int put_field(object field, object owner, object value) except -1

cdef tuple _names = SHAPE_NAMES
cdef object _block = Block, _span = Span
cdef object _text = Span.text, _href = Span.href, _strong = Span.strong, _emphasis = Span.emphasis, _code = Span.code
cdef tuple _plain = (False, None, False, False, False)
cdef object _spans = Block.spans, _tag = Block.tag, _xpath = Block.xpath, _mark = Block.mark
cdef int _max_up = MAX_UP, _gap = GAP
cdef int _item = TAG_CODE["li"], _numbered = TAG_CODE["ol"], _term = TAG_CODE["dt"], _said = TAG_CODE["dd"]
cdef int _code_block = TAG_CODE["pre"]
cdef bint _is_frame[256]  # by the code of a tag
for _code_of_tag in range(len(TAGS)):
    _is_frame[_code_of_tag] = TAGS[_code_of_tag] in FRAMES


def blocks_of(table, chosen, *, link_of, path_of, mark_of):
    """Return the blocks of these numbers.

    `link_of` resolves an address, `path_of` gives the XPath of an element, `mark_of` the mark of a text in a frame.
    """
    runs, styles, nodes, owner, shape = table.runs, table.styles, table.nodes, table.owner, table.shape
    cdef list texts = table.texts
    cdef int element, last = -1  # the element that the last block was of
    cdef int last_frame = -1
    cdef carray.array parents = table.parent, tags = table.tag, breaks = table.breaks
    cdef dict resolved = {}
    cdef list blocks = []
    cdef int frame = -1
    path = mark = framed = ""
    for number in chosen:
        run = runs[number]
        for _, style in run:
            if style not in resolved:
                in_link, href, strong, emphasis, code = styles[style]
                resolved[style] = in_link, link_of(href), strong, emphasis, code
        element = owner[number]
        if element != last:
            path = path_of(nodes[element])
            frame = _frame_of(parents.data.as_ints, tags.data.as_ints, element)
        if frame >= 0 and (frame != last_frame or tags.data.as_ints[frame] == _code_block):
            framed = mark_of(texts[number], nodes[frame])  # of code alone it differs from line to line
            last_frame = frame
        mark = framed if frame >= 0 else ""
        if element == last and breaks.data.as_ints[<Py_ssize_t>number] >= _gap:
            mark += "\n"
        last = element
        block = PyType_GenericAlloc(_block, 0)
        put_field(_spans, block, _spans_of(run, resolved))
        put_field(_tag, block, _names[shape[number]])
        put_field(_xpath, block, path)
        put_field(_mark, block, mark)
        blocks.append(block)
    return tuple(blocks)


cdef int _frame_of(int* parents, int* tags, int element) noexcept:
    """Return the innermost item, cell or code that an element is or lies in, not far above it; -1 for none.

    What the table is of is none itself. Items of lists without numbers have no marks, nor have terms.
    """
    cdef int step
    for step in range(_max_up):
        if parents[element] < 0:
            return -1
        if _is_frame[tags[element]]:
            if tags[element] == _item:
                return element if tags[parents[element]] == _numbered else -1
            return -1 if tags[element] == _term or tags[element] == _said else element
        element = parents[element]
    return -1


def drafts_of(table, chosen, *, path_of):
    """Return the blocks of these numbers with their texts and places alone."""
    texts, nodes, owner = table.texts, table.nodes, table.owner
    cdef list blocks = [], spans = []
    for number in chosen:
        _add_span(spans, texts[number], _plain)
        block = PyType_GenericAlloc(_block, 0)
        put_field(_spans, block, (spans.pop(),))
        put_field(_tag, block, "p")
        put_field(_xpath, block, path_of(nodes[owner[number]]))
        put_field(_mark, block, "")
        blocks.append(block)
    return tuple(blocks)


cdef tuple _spans_of(list run, dict resolved):
    """Return the spans of a run; neighbours of one style are one."""
    cdef list spans = [], pieces
    cdef object last = None
    if len(run) == 1:
        text, number = run[0]
        _add_span(spans, text, <tuple>resolved[number])
        return tuple(spans)
    pieces = []
    for text, number in run:
        style = resolved[number]
        if last is not None and style != last:
            _add_span(spans, "".join(pieces), <tuple>last)
            pieces = []
        last = style
        pieces.append(text)
    if last is not None:
        _add_span(spans, "".join(pieces), <tuple>last)
    return tuple(spans)


cdef int _add_span(list spans, str text, tuple style) except -1:
    if not text:
        return 0
    span = PyType_GenericAlloc(_span, 0)
    put_field(_text, span, text)
    put_field(_href, span, style[1])
    put_field(_strong, span, style[2])
    put_field(_emphasis, span, style[3])
    put_field(_code, span, style[4])
    spans.append(span)
    return 0
