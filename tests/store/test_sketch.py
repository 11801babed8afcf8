"""Sketches of texts: the same everywhere, and what they tell of two texts."""

import hashlib
import random
import unicodedata

import pytest

from thresher.store.sketch import KEPT, MIN_SHINGLES, PLAIN, alike, compared, sketch_of, unpacked
from thresher.text import tokens

ENGLISH = " ".join(f"word{number}" for number in range(400))
CHINESE = "".join(chr(0x4E00 + (number * 7919) % 5000) for number in range(400))


def words(seed: int, number: int) -> list[str]:
    dice = random.Random(seed)
    return [f"w{dice.randrange(10**6)}" for _ in range(number)]


@pytest.mark.parametrize(
    ("text", "digest"),
    [(ENGLISH, "c81289a1d38861a6"), (CHINESE, "8238f880f4ed0e12")],
    ids=["english", "chinese"],
)
def test_stored_sketches_stay_what_they_are(text: str, digest: str) -> None:
    """A change here makes the sketches that are stored useless: it needs a migration."""
    sketch = sketch_of(text)
    assert sketch
    bands = ",".join(map(str, sketch.bands)).encode()
    assert hashlib.sha256(sketch.packed() + bands).hexdigest()[:16] == digest


def test_a_sketch_is_the_same_whatever_the_case_width_and_layout_of_the_text() -> None:
    plain, other = sketch_of(ENGLISH), sketch_of(ENGLISH.upper().replace(" ", " ,\n\t"))
    assert plain
    assert other
    assert (plain.lowest, plain.bands) == (other.lowest, other.bands)


def test_texts_that_are_taken_as_they_are_have_the_words_of_their_plain_form() -> None:
    plain = [char for char in map(chr, range(0x110000)) if PLAIN.fullmatch(char)]
    assert len(plain) > 30_000
    for char in plain:
        folded = unicodedata.normalize("NFKC", char)
        assert tokens(f"a{char}b 中{char}国") == tokens(f"a{folded}b 中{folded}国"), hex(ord(char))
        assert not unicodedata.combining(char), hex(ord(char))


def test_letters_of_full_width_make_the_same_sketch() -> None:
    wide = "".join(chr(ord(char) + 0xFEE0) if char.isalnum() else char for char in ENGLISH)
    assert PLAIN.fullmatch(wide) is None
    plain, other = sketch_of(ENGLISH), sketch_of(wide)
    assert plain
    assert other
    assert plain.bands == other.bands


def test_a_text_that_repeats_itself_keeps_its_few_hashes() -> None:
    """Of many shingles few are different, so the lowest have to be looked for among all of them."""
    text = " ".join([*words(1, 60)] * 18)
    sketch = sketch_of(text)
    assert sketch
    assert len(sketch.lowest) == 60


def test_a_packed_sketch_can_be_read_again() -> None:
    sketch = sketch_of(ENGLISH)
    assert sketch
    assert list(unpacked(sketch.packed()).lowest) == sketch.lowest
    with pytest.raises(ValueError, match="bytes length"):
        unpacked(b"abc")


def test_short_texts_have_no_sketch() -> None:
    assert sketch_of(" ".join(words(1, MIN_SHINGLES + 3))) is None
    assert sketch_of(" ".join(words(1, MIN_SHINGLES + 4))) is not None
    assert sketch_of("the same " * 500) is None


def test_resemblance_and_containment_are_told_closely() -> None:
    text = words(2, 1200)
    one, half, other = (sketch_of(" ".join(each)) for each in (text, text[:600], words(3, 1200)))
    assert one
    assert half
    assert other
    resemblance, within = compared(one.lowest, half.lowest)
    assert resemblance == pytest.approx(0.5, abs=0.15)
    assert within == 1.0
    assert compared(one.lowest, other.lowest) == (0.0, 0.0)
    assert len(one.lowest) == KEPT


def test_few_shingles_are_compared_exactly() -> None:
    text = words(4, 100)
    one, most = sketch_of(" ".join(text)), sketch_of(" ".join(text[:80]))
    assert one
    assert most
    assert compared(one.lowest, most.lowest) == (76 / 96, 1.0)
    assert alike(one, most)


def test_copies_share_a_band_and_strangers_do_not() -> None:
    found = 0
    for seed in range(100):
        text = words(seed, 300)
        one, copy, other = (sketch_of(" ".join(each)) for each in (text, text[100:], words(seed + 1000, 300)))
        assert one
        assert copy
        assert other
        found += bool(set(one.bands) & set(copy.bands))
        assert not set(one.bands) & set(other.bands)
    assert found >= 97
