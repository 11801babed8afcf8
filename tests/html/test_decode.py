"""Bytes become text by BOM, header, meta and content, and lies about the charset are seen through."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.costs import costing_at_most
from thresher.html import decode

CHINESE = "习近平会见了来访的外国客人，双方就共同关心的问题交换了意见。"
TRADITIONAL = "這是一個關於天氣的新聞，明天將會下雨，請大家記得帶傘出門。"
JAPANESE = "これは日本語の文章です。明日の天気は晴れのち曇りでしょう。"
KOREAN = "이것은 한국어로 쓰인 글입니다. 내일은 비가 내릴 것으로 보입니다."
RUSSIAN = "Это русский текст о погоде, завтра будет дождь и сильный ветер."
GREEK = "Αυτό είναι ένα ελληνικό κείμενο για τον καιρό και τη βροχή."
POLISH = "Zażółć gęślą jaźń; święta są już za tydzień, więc śnieg spadł wcześniej."
FRENCH = "Le garçon a été très étonné d'apprendre que l'élève était déjà là."
TURKISH = "Bugün hava çok güzel, öğleden sonra İstanbul'da yağmur bekleniyor, şemsiyeni al."


def page(text: str, head: str = "") -> str:
    return f"<html><head>{head}<title>x</title></head><body><p>{text}</p></body></html>"


def test_a_bom_wins_over_everything() -> None:
    data = b"\xef\xbb\xbf" + page(CHINESE, "<meta charset=gbk>").encode()
    decoded = decode(data, "text/html; charset=big5")
    assert (decoded.encoding, decoded.source) == ("utf-8", "bom")
    assert CHINESE in decoded.text
    assert not decoded.text.startswith("\ufeff")


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_utf_16_is_read_with_and_without_a_bom(codec: str) -> None:
    bom = {"utf-16-le": b"\xff\xfe", "utf-16-be": b"\xfe\xff"}[codec]
    assert decode(bom + page(RUSSIAN).encode(codec), None).text == page(RUSSIAN)
    assert decode(page(RUSSIAN).encode(codec), None).text == page(RUSSIAN)


def test_the_header_wins_over_meta() -> None:
    data = page(RUSSIAN, '<meta charset="koi8-r">').encode("cp1251")
    decoded = decode(data, "text/html; charset=windows-1251")
    assert (decoded.encoding, decoded.source) == ("cp1251", "content-type")
    assert RUSSIAN in decoded.text


@pytest.mark.parametrize(
    "head",
    [
        "<meta charset=gb2312>",
        '<META http-equiv="Content-Type" content="text/html; charset=GB2312">',
        "<meta content='text/html;charset=gbk' http-equiv='content-type'>",
    ],
)
def test_meta_tells_the_charset(head: str) -> None:
    decoded = decode(page(CHINESE, head).encode("gbk"), "text/html")
    assert (decoded.encoding, decoded.source) == ("gb18030", "meta")
    assert CHINESE in decoded.text


def test_an_xml_declaration_tells_the_charset() -> None:
    data = b'<?xml version="1.0" encoding="Big5"?>' + page(TRADITIONAL).encode("big5")
    assert TRADITIONAL in decode(data, None).text


def test_gb2312_means_gb18030_as_in_browsers() -> None:
    text = page("镕 is not in GB2312, and 㐂 not in GBK 的", "<meta charset=gb2312>")
    assert decode(text.encode("gb18030"), None).text == text


def test_latin_1_means_windows_1252_as_in_browsers() -> None:
    assert decode("it’s “quoted”".encode("cp1252"), "text/html; charset=iso-8859-1").text == "it’s “quoted”"


@pytest.mark.parametrize("claimed", ["gbk", "iso-8859-1", "windows-1251", "shift_jis"])
def test_utf_8_that_claims_to_be_something_else_is_read_as_utf_8(claimed: str) -> None:
    data = page(CHINESE, f"<meta charset={claimed}>").encode()
    assert CHINESE in decode(data, f"text/html; charset={claimed}").text


def test_a_server_that_says_latin_1_of_a_chinese_page_is_not_believed() -> None:
    told = decode(page(CHINESE, "<meta charset=gbk>").encode("gbk"), "text/html; charset=ISO-8859-1")
    untold = decode(page(CHINESE).encode("gbk"), "text/html; charset=ISO-8859-1")
    assert CHINESE in told.text
    assert told.source == "meta"
    assert CHINESE in untold.text


def test_big5_that_claims_to_be_gbk_and_the_other_way_round() -> None:
    assert TRADITIONAL in decode(page(TRADITIONAL * 9, "<meta charset=gbk>").encode("big5"), None).text
    assert CHINESE in decode(page(CHINESE * 9).encode("gbk"), "text/html; charset=big5").text


def test_a_page_that_says_utf_8_and_is_not_is_detected() -> None:
    assert CHINESE in decode(page(CHINESE, "<meta charset=utf-8>").encode("gbk"), "text/html; charset=utf-8").text


def test_utf_8_with_a_few_broken_bytes_stays_utf_8() -> None:
    decoded = decode(page(RUSSIAN * 5).encode() + b"\xff\xfe\xe9 tail", None)
    assert decoded.encoding == "utf-8"
    assert RUSSIAN in decoded.text


@pytest.mark.parametrize(
    ("text", "codec"),
    [
        *((CHINESE, "gbk"), (CHINESE, "gb18030"), (TRADITIONAL, "big5"), (JAPANESE, "shift_jis"), (JAPANESE, "euc_jp")),
        *((KOREAN, "cp949"), (RUSSIAN, "cp1251"), (RUSSIAN, "koi8_r"), (GREEK, "cp1253"), (POLISH, "cp1250")),
        *((JAPANESE, "iso2022_jp"), (POLISH, "iso8859-2"), (FRENCH, "cp1252"), (TURKISH, "cp1254")),
    ],
)
def test_an_undeclared_charset_is_detected(text: str, codec: str) -> None:
    decoded = decode(page(text * 3).encode(codec), None)
    assert text in decoded.text
    assert decoded.source == "detected"


def test_unknown_labels_are_ignored() -> None:
    assert decode(page(GREEK).encode(), "text/html; charset=klingon").text == page(GREEK)


def test_plain_ascii_is_utf_8() -> None:
    assert decode(b"<p>hello", None).encoding == "utf-8"


def test_detection_of_a_large_page_is_quick() -> None:
    data = page(CHINESE * 200_000).encode("gbk")
    with costing_at_most(2):
        decode(data, None)


@given(
    st.binary(max_size=300), st.none() | st.text(max_size=30) | st.sampled_from(["a; charset=utf-7", "charset=utf-16"])
)
def test_no_bytes_and_no_header_raise(data: bytes, content_type: str | None) -> None:
    assert isinstance(decode(data, content_type).text, str)
