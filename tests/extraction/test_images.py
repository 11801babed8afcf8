"""Images of the main text: found on wish, placed among its blocks, safe to show."""

import pytest

from thresher import Document, extract
from thresher.extraction.images import MAX_IMAGES
from thresher.model import Image
from thresher.model.codec import document_from_dict, document_to_dict

PARAGRAPHS = [
    f"<p>On day {n} the ferry to the islands was late again, and the people who were waiting for it stood in the rain "
    "for more than an hour, which they said they would not forget for a long time.</p>"
    for n in range(5)
]
URL = "https://harbour.example/news/ferry"


def page(*between: str, before: str = "", after: str = "", head: str = "") -> str:
    text = "".join(part for pair in zip(PARAGRAPHS, [*between, *[""] * 5], strict=False) for part in pair)
    nav = '<header><a href="/"><img src="/logo.png"></a></header><nav><a href="/a">Home</a><a href="/b">Sport</a></nav>'
    aside = '<aside><a href="/x"><img src="/teaser.jpg"><b>Another story that you may like</b></a></aside>'
    return (
        f"<html><head><title>The ferry is late</title>{head}</head><body>{nav}<main><article><h1>The ferry is late</h1>"
        f"{before}{text}{after}</article></main>{aside}</body></html>"
    )


def found(html: str, url: str | None = URL) -> Document:
    return extract(html, url, images=True)


def addresses(html: str, url: str | None = URL) -> list[str]:
    return [image.url for image in found(html, url).images]


def test_images_are_left_out_unless_they_are_asked_for() -> None:
    html = page('<img src="a.jpg">')
    assert extract(html, URL).images == ()
    assert "images" not in extract(html, URL).to_dict()


def test_asking_for_images_changes_nothing_else() -> None:
    html = page('<figure><img src="a.jpg" alt="A ferry"><figcaption>The ferry in June</figcaption></figure>')
    plain, pictured = extract(html, URL), found(html)
    assert pictured.blocks == plain.blocks
    assert pictured.text == plain.text
    assert pictured.links == plain.links


def test_an_image_stands_where_it_stood_with_its_address_resolved() -> None:
    document = found(page("", '<p><img src="../pics/a.jpg" alt=" A  ferry "></p>'))
    first, last = document.text.split("\n")[0], document.text.split("\n")[-1]
    (image,) = document.images
    assert (image.url, image.alt) == ("https://harbour.example/pics/a.jpg", "A ferry")
    above = [block.text for block in document.blocks[: image.place]]
    assert "day 1" in above[-1]
    assert "day 2" in document.blocks[image.place].text
    assert document.markdown().index(first) < document.markdown().index("![A ferry](") < document.markdown().index(last)
    assert '<p><img src="https://harbour.example/pics/a.jpg" alt="A ferry" /></p>' in document.html()


def test_images_between_lines_of_one_element_are_placed() -> None:
    lines = "<br>".join(
        f'{part.removeprefix("<p>").removesuffix("</p>")}<br><img src="/{n}.jpg">' for n, part in enumerate(PARAGRAPHS)
    )
    document = found(f"<title>The ferry is late</title><h1>The ferry is late</h1><div>{lines}</div>")
    places = [image.place for image in document.images]
    assert len(places) == 5
    assert places == sorted(set(places))


@pytest.mark.parametrize(
    ("markup", "url"),
    [
        ('<img src="data:image/gif;base64,R0lGOD" data-src="/real.jpg">', "https://harbour.example/real.jpg"),
        ('<img src="/img/blank.gif" data-original="//cdn.example/r.jpg">', "https://cdn.example/r.jpg"),
        (
            '<img src="static/loading.gif" file="data/attachment/1.jpg">',
            "https://harbour.example/news/data/attachment/1.jpg",
        ),
        ('<img srcset="/s.jpg 320w, /l.jpg 1280w, /m.jpg 640w">', "https://harbour.example/l.jpg"),
        ('<img data-lazy="true" src="/real.jpg">', "https://harbour.example/real.jpg"),
        ('<img src="/s.jpg" data-srcset="/a,b.jpg 1x, /c.jpg 2x">', "https://harbour.example/c.jpg"),
        (
            '<picture><source srcset="/p.webp 2x"><img src="data:image/gif;base64,R0"></picture>',
            "https://harbour.example/p.webp",
        ),
        (
            '<img src="data:,x"><noscript><img src="/real.jpg"></noscript>',
            "https://harbour.example/real.jpg",
        ),
        ('<img data-src="/a.jpg"><noscript><img src="/a-small.jpg"></noscript>', "https://harbour.example/a.jpg"),
    ],
)
def test_images_that_scripts_would_load_are_found(markup: str, url: str) -> None:
    assert addresses(page(f"<p>{markup}</p>")) == [url]


@pytest.mark.parametrize(
    "markup",
    [
        '<img src="javascript:alert(1)">',
        '<img src="data:image/png;base64,AAAA">',
        '<img src="file:///etc/passwd">',
        '<img src="">',
        "<img>",
        '<img src="/pixel.gif" width="1" height="1">',
        '<img src="/smile.png" width="20" height=20>',
        '<div><a href="/other"><img src="/other.jpg"><span>Another ferry is early</span></a></div>',
        '<aside><img src="/ad.jpg"></aside>',
    ],
)
def test_what_is_no_image_of_the_text_is_left_out(markup: str) -> None:
    assert addresses(page(markup)) == []


def test_a_lead_image_and_a_caption_with_a_link_are_kept() -> None:
    figure = '<figure><img src="/lead.jpg"><figcaption>The ferry. Photo: <a href="/m">M. Mar</a></figcaption></figure>'
    assert addresses(page(before=figure)) == ["https://harbour.example/lead.jpg"]


def test_the_image_that_the_page_names_as_its_own_is_kept_wherever_it_stands() -> None:
    head = '<meta property="og:image" content="https://harbour.example/logo.png">'
    assert addresses(page(head=head)) == ["https://harbour.example/logo.png"]


def test_images_without_an_address_of_the_page_need_one_of_their_own() -> None:
    html = page('<img src="a.jpg">', '<img src="https://cdn.example/b.jpg">')
    assert addresses(html, None) == ["https://cdn.example/b.jpg"]


def test_alt_texts_and_addresses_are_escaped() -> None:
    alt = "a ](http://evil.test) &lt;script&gt; &quot; *b*"
    document = found(page(f'<p><img src="/a (1).jpg?x=&quot;>" alt="{alt}"></p>'))
    assert "<script>" not in document.markdown().replace("\\<script>", "")
    assert "\\](http" in document.markdown()
    assert "<script>" not in document.html()
    assert '"' not in document.html().split('alt="')[1].split('" />')[0]


def test_images_of_posts_stand_in_their_posts() -> None:
    def post(number: int) -> str:
        return (
            f'<div class="post" id="p{number}"><div class="who"><a href="/u{number}"><img src="/avatar{number}.png">'
            f"user{number}</a> <span>2024-03-0{number} 10:00</span></div><div class='body'>{PARAGRAPHS[number]}"
            f'<p><img src="/photo{number}.jpg"></p></div></div>'
        )

    document = extract(
        "<title>Ferries</title><h1>Ferries</h1>" + "".join(map(post, range(1, 5))), URL, posts="always", images=True
    )
    assert [image.url.rsplit("/")[-1] for image in document.images] == [f"photo{n}.jpg" for n in range(1, 5)]
    sections = document.html().split("<section>")[1:]
    assert [f"photo{n}.jpg" in section for n, section in enumerate(sections, start=1)] == [True] * 4
    assert [section.count("<img") for section in sections] == [1] * 4


def test_a_document_with_images_is_written_down_and_read_back() -> None:
    document = found(page('<img src="/a.jpg" alt="x">'))
    assert document.images == (
        Image("https://harbour.example/a.jpg", "x", document.images[0].place, document.images[0].xpath),
    )
    assert document_from_dict(document_to_dict(document)) == document
    assert document.to_dict()["images"][0]["url"] == "https://harbour.example/a.jpg"


def test_countless_images_and_pieces_end_soon() -> None:
    images = "".join(f'<p><i>x{n}</i><img src="/{n}.jpg"></p>' for n in range(5_000))
    pieces = "".join(f"<b>w{n}</b> " for n in range(20_000))
    assert len(found(page(f"<p>{pieces}</p>", f"<div>{images}</div>")).images) <= MAX_IMAGES


@pytest.mark.parametrize("algorithm", ["cetd", "cevc", "cetr", "far-sw", "mibat"])
def test_every_method_may_be_asked_for_images(algorithm: str) -> None:
    assert len(extract(page('<img src="/a.jpg">'), URL, algorithm=algorithm, images=True).images) <= 1
