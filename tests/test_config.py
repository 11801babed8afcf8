"""Settings: flags over variables over file over defaults."""

import re
import tomllib
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from thresher.config import Settings, load, shown, template, toml_line
from thresher.errors import UsageError


def test_flags_win_over_variables_over_file_over_defaults(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('delay_s = 2\nconcurrency = 4\nhost_pages = 9\ncontact = "a@b.test"\n')
    environ = {"THRESHER_CONCURRENCY": "5", "THRESHER_HOST_PAGES": "7", "OTHER": "x"}
    found = load({"host_pages": 3, "delay_s": None}, file=file, environ=environ)
    assert (found.settings.delay_s, found.settings.concurrency, found.settings.host_pages) == (2.0, 5, 3)
    assert found.origin["host_pages"] == "flag"
    assert found.origin["concurrency"] == "environment"
    assert found.origin["delay_s"] == str(file)
    assert found.origin["lease_s"] == "default"


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("dellay_s = 1", "unknown setting 'dellay_s'"),
        ("delay_s = 'soon'", "not a number"),
        ("delay_s = true", "not a number"),
        ("delay_s = nan", "less than 0 or not finite"),
        ("delay_s = -1", "less than 0"),
        ("concurrency = 0", "less than 1"),
        ("concurrency = 1.5", "not a whole number"),
        ("require_date = 3", "not true or false"),
        ("allowed_addresses = 5", "not a list"),
        ("delay_s = ", "not valid TOML"),
        (f"delay_s = {'7' * 5_000}", "not valid TOML"),
        (f"delay_s = {'[' * 100_000}", "not valid TOML"),
        ("store_file = '/nowhere/at/all'", "cannot read"),
    ],
)
def test_a_wrong_setting_is_a_clear_error(tmp_path: Path, text: str, word: str) -> None:
    file = tmp_path / "t.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=word):
        load({}, file=file, environ={})


def test_a_file_may_come_from_an_editor_of_windows(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_bytes(b"\xef\xbb\xbfdelay_s = 2\r\nconcurrency = 4\r\n")
    assert load({}, file=file, environ={}).settings.delay_s == 2.0


def test_a_folder_is_no_settings_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="cannot read"):
        load({}, file=tmp_path, environ={})


def test_a_missing_file_is_an_error_only_when_it_was_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="no settings file"):
        load({}, file=tmp_path / "none.toml", environ={})
    with pytest.raises(UsageError, match="no settings file"):
        load({}, environ={"THRESHER_CONFIG": str(tmp_path / "none.toml")})


def test_a_secret_can_be_read_from_a_file_and_is_masked_when_shown(tmp_path: Path) -> None:
    secret = tmp_path / "url"
    secret.write_text("postgresql://me:hush@db/corpus\n")
    store = load({}, environ={"THRESHER_STORE_FILE": str(secret)}).settings.store
    assert store == "postgresql://me:hush@db/corpus"
    assert shown("store", store) == "postgresql://me:***@db/corpus"


def test_the_template_names_every_setting_with_its_default() -> None:
    text = template()
    plain, mark, example = text.partition("# [engines.")
    values = tomllib.loads("\n".join(line[2:] for line in plain.split("\n") if " = " in line))
    expected = {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(Settings()).items()}
    assert values == {name: value for name, value in expected.items() if name != "engines"}
    engine = "\n".join(line.removeprefix("# ") for line in (mark + example).split("\n"))
    assert len(load({"engines": tomllib.loads(engine)["engines"]}, environ={}).settings.engines) == 1


def test_engines_are_tables_of_the_file_or_json_of_a_variable(tmp_path: Path) -> None:
    file = tmp_path / "t.toml"
    file.write_text('[engines.one]\nurl = "https://one.test/?q={keyword}"\n')
    (engine,) = load({}, file=file, environ={}).settings.engines
    told = '{"two": {"url": "https://two.test", "kind": "searxng"}}'
    (other,) = load({}, file=file, environ={"THRESHER_ENGINES": told}).settings.engines
    assert (engine.name, other.name, other.kind) == ("one", "two", "searxng")
    for wrong in ("two", "[]", '{"two": 5}'):
        with pytest.raises(UsageError, match=r"\[engines"):
            load({}, environ={"THRESHER_ENGINES": wrong})


def test_every_setting_is_documented() -> None:
    documented = (Path(__file__).parents[1] / "docs" / "settings.md").read_text("utf-8")
    for item in fields(Settings):
        assert f"`{item.name}`" in documented
        assert item.metadata["help"] in documented


def test_lists_are_given_as_toml_or_separated_by_commas() -> None:
    found = load({}, environ={"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1, 10.0.0.0/8"})
    assert found.settings.allowed_addresses == ("127.0.0.1", "10.0.0.0/8")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("seen = 'foo'", "neither exact nor bloom"),
        ("bloom_error_rate = 0.5", "wrong every other time"),
        ("store = 'oracle://x'", "oracle:// is not supported"),
        ("store = 'hush'", "this is not a URL"),
        ("store = 'postgresql://me:hu/sh@db/corpus'", "%2F"),
        ("store = 'postgresql://me:***@db/corpus'", "put in the real one"),
        ("frontier = 'http://queue'", "http:// is not supported"),
        ("frontier = 'redis://:hu#sh@queue/0'", "%23"),
        ("frontier = 'redis://:hu[sh@queue/0'", "%5B"),
        ("frontier = 'redis://queue/0?password=***'", "put in the real one"),
        ("proxy = 'socks5://proxy:1080'", "not supported"),
        ("proxy = 'http://me:hush@proxy:3128/path'", "http://HOST:PORT"),
        ("allowed_addresses = ['127.0.0.1', 'nonsense']", "'nonsense' is not an address"),
        ("headers = ['X-Key: hush']", "Name: value"),
        ("headers = 5", "not a list"),
        ("logins = ['a.test hush']", "USER:PASSWORD"),
        ("cookies = 'hush'", "cookies.txt"),
        ("contact = 5", "not a string"),
    ],
)
def test_a_setting_that_nothing_can_be_done_with_is_refused_wherever_it_comes_from(
    tmp_path: Path, text: str, word: str
) -> None:
    file = tmp_path / "t.toml"
    file.write_text(text)
    with pytest.raises(UsageError, match=re.escape(word)) as refusal:
        load({}, file=file, environ={})
    assert "hush" not in str(refusal.value)
    values = tomllib.loads(text)
    if text != "contact = 5":
        with pytest.raises(UsageError, match=re.escape(word)):
            load(values, environ={"THRESHER_CONFIG": "/dev/null"})


def test_settings_made_without_a_file_are_checked_too() -> None:
    with pytest.raises(UsageError, match="seen: 'foo'"):
        Settings(seen="foo")


ODD = 'quotes " and \' and """, a \\ backslash,\nlines\r\n\t, \x1b[1m \x7f \x9b \u202e 降准 \U0001f980'


def test_what_is_shown_can_be_read_back(tmp_path: Path) -> None:
    given = Settings(
        data=ODD,
        contact=ODD,
        delay_s=0.1,
        bloom_error_rate=1e-9,
        require_date=True,
        allowed_addresses=("10.0.0.0/8", "::1"),
    )
    lines = [toml_line(name, shown(name, value)) for name, value in asdict(given).items()]
    file = tmp_path / "t.toml"
    file.write_bytes("\n".join(lines).encode())
    assert load({}, file=file, environ={}).settings == given


def test_secrets_are_masked_in_whatever_form_they_come() -> None:
    given = Settings(
        store="postgresql://db/corpus?password=hush",
        frontier="redis://:hush@queue/0",
        proxy="http://me:hush@proxy:3128",
        headers=("a.test X-Key: hush",),
        logins=("a.test me:hush",),
        cookies="a.test\tFALSE\t/\tFALSE\t0\tname\thush",
    )
    values = [shown(name, value) for name, value in asdict(given).items()]
    assert "hush" not in repr(values) + repr(given)
    assert str(values).count("***") == 6
