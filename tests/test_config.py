"""Settings: flags over variables over file over defaults."""

import tomllib
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from thresher.config import Settings, load, shown, template
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
        ("delay_s = nan", "less than 0 or has no end"),
        ("delay_s = -1", "less than 0"),
        ("concurrency = 0", "less than 1"),
        ("concurrency = 1.5", "not a whole number"),
        ("require_date = 3", "not true or false"),
        ("allowed_addresses = 5", "not a list"),
        ("delay_s = ", "not valid TOML"),
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
    values = tomllib.loads("\n".join(line[2:] for line in text.split("\n") if " = " in line))
    assert values == {name: list(v) if isinstance(v, tuple) else v for name, v in asdict(Settings()).items()}


def test_every_setting_is_documented() -> None:
    documented = (Path(__file__).parents[1] / "docs" / "settings.md").read_text("utf-8")
    for item in fields(Settings):
        assert f"`{item.name}`" in documented
        assert item.metadata["help"] in documented


def test_lists_are_given_as_toml_or_separated_by_commas() -> None:
    found = load({}, environ={"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1, 10.0.0.0/8"})
    assert found.settings.allowed_addresses == ("127.0.0.1", "10.0.0.0/8")
