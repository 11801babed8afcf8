"""Strings of any kind, most of them nearly URLs."""

from hypothesis import strategies as st

NASTY = st.sampled_from(
    [
        *("http:", "https:", "HTTP://", "ftp://", "/", "//", "\\", "?", "#", "&", "=", ";", ":", "@", "%", "%2", "%2e"),
        *(
            "..",
            ".",
            "%2E%2e",
            "%00",
            "%41",
            "%c3%a9",
            "%7E",
            "[",
            "]",
            "[::1]",
            "127.1",
            "0x7f",
            "xn--",
            "xn--bcher-kva",
        ),
        *(
            "example.com",
            "EXAMPLE",
            "é",
            "ß",
            "中",
            "。",
            "\u200d",
            "\u0301",
            "\ud800",
            "\t",
            "\n",
            "\x00",
            " ",
            "\x7f",
        ),
        *(
            "1_2",
            "-1",
            "+1",
            "0x",
            "08",
            "9" * 30,
            "[fe80::1%25a]",
            "[::ffff:1.2.3.4]",
            "%25",
            "\uff11",
            "\u0661",
            "\u00ad",
        ),
        *("utm_source=1", "sid=", "PHPSESSID=1", ";jsessionid=1", "a=1", ":80", ":443", ":99999", "a", "0", "-", "_"),
    ]
)
ANYTHING = st.one_of(
    st.text(max_size=60),
    st.lists(NASTY, max_size=14).map("".join),
    st.lists(st.one_of(NASTY, st.characters()), max_size=10).map(lambda parts: "http://h" + "".join(parts)),
    st.lists(st.one_of(NASTY, st.characters()), max_size=6).map(lambda parts: "http://" + "".join(parts) + "/"),
)
