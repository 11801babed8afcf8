"""Extractors are named with their parameters, and known by what decides their output."""

from importlib import metadata
from pathlib import Path

import pytest

from thresher.errors import MissingExtra, UsageError
from thresher.lab import ours, peers
from thresher.lab.extractors import choose, named, peer_names, with_parameters
from thresher.lab.peers import PEERS, Peer
from thresher.lab.plain import plain_text


def test_all_means_every_algorithm_and_peers_come_after_them() -> None:
    assert [extractor.origin for extractor in choose("all", with_peers=False)] == list(ours.names())
    chosen = choose("cevc,body-text", with_peers=False)
    assert [extractor.name for extractor in chosen] == ["cevc", "body-text"]
    assert peer_names(chosen) == {"body-text"}


def test_an_unknown_name_or_parameter_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="cevc"):
        named("sevc")
    with pytest.raises(UsageError, match="favour"):
        named("cevc:flavour=1")
    with pytest.raises(UsageError, match="name=value"):
        named("cevc:favour")
    with pytest.raises(UsageError, match="--peers"):
        choose("none", with_peers=False)


def test_parameters_are_read_as_numbers_and_words() -> None:
    extractor = named("cevc:favour=recall;model=")
    assert extractor.name == "cevc:favour=recall;model="
    assert extractor.parameters == {"favour": "recall", "model": ""}


def test_identity_follows_parameters_and_the_models_content_not_names_and_places(tmp_path: Path) -> None:
    for name, content in (("a", "1"), ("b", "1"), ("c", "2")):
        (tmp_path / name).write_text(content)
    models = {name: with_parameters("cevc", {"model": str(tmp_path / name)}).identity for name in "abc"}
    assert models["a"] == models["b"] != models["c"]
    assert with_parameters("cevc", {}, "shown").identity == named("cevc").identity
    assert named("cevc:favour=recall").identity != named("cevc").identity


def test_a_version_changes_with_any_source_that_is_imported(tmp_path: Path) -> None:
    def fingerprint(code: str) -> str:
        (tmp_path / "algorithm.py").write_text(code)
        ours.fingerprint.cache_clear()
        return ours.fingerprint(tmp_path / "algorithm.py")

    with_text = fingerprint("from thresher.text import squeeze\n")
    assert fingerprint("from thresher.urls import hosts\n") != with_text
    assert fingerprint("from thresher.text import squeeze\n") == with_text
    assert ours.fingerprint(tmp_path / "algorithm.py") == with_text


def test_a_version_changes_with_the_data_files_beside_a_source(tmp_path: Path) -> None:
    (tmp_path / "trainer.py").write_text("from thresher.text import squeeze\n")
    before = ours.fingerprint(tmp_path / "trainer.py")
    (tmp_path / "words.json").write_text("{}")
    ours.fingerprint.cache_clear()
    assert ours.fingerprint(tmp_path / "trainer.py") != before


def test_a_peer_that_is_not_installed_is_an_error_that_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(PEERS, "absent", Peer(lambda html, language: "", "no-such-distribution"))
    with pytest.raises(MissingExtra, match=r"thresher\[peers\]"):
        named("absent")


@pytest.mark.parametrize("name", [name for name in PEERS if name != "body-text"])
def test_a_peer_finds_an_article(name: str) -> None:
    try:
        peers.version_of(name)
    except MissingExtra:
        pytest.skip(f"{name} is not installed")
    sentence = "The committee said that it would look into the matter again before the end of the year, if it could. "
    body = "".join(f"<p>{number}. {sentence * 4}</p>" for number in range(8))
    html = (
        f"<html><head><title>News</title></head><body><ul><li><a href='/'>Home</a></ul><div>{body}</div></body></html>"
    )
    assert "The committee said" in named(name).extract(html, None, "en").text


def test_body_text_is_all_that_shows_one_block_a_line() -> None:
    html = "<head><title>t</title></head><body><p>One <b>t</b>wo<script>x</script><p>three<br>four<div>five</div> six"
    assert plain_text(html).split("\n") == ["One two", "three", "four", "five", "six"]
    assert plain_text("") == ""


def test_the_version_of_a_peer_is_that_of_its_distribution() -> None:
    assert named("body-text").version == metadata.version("lxml")
