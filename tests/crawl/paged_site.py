"""A small site of articles over several pages, with the pagers that sites have, and what only looks like them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

WALK = (
    "The path begins behind the boat shed, where the last nets of the season hang and nobody has swept since spring. "
    "Anna Berg has walked it every morning for thirty years, and she still stops at the first gate to look back.",
    "Halfway up the hill the wind changes and brings the smell of the bakery, which opens at five for the fishermen. "
    "She buys two rolls there, one for herself and one for the dog that waits at the second gate.",
    "From the top one sees three islands on a clear day and the chimney of the old cannery on most of the others. "
    "The council wants to pull the chimney down; the walkers have written four letters against it so far.",
    "On the way back the light is behind her, and the harbour looks like the postcards that the kiosk stopped selling. "
    "She says that she never carries a camera, because a picture would only tell her what she had missed.",
    "When the clinic closed, the walk became the place where people met, and the benches were put back one by one. "
    "A carpenter who had retired early made them from the planks of a ferry that nobody wanted to repair.",
    "In winter the steps are strewn with ash from the stoves of the four houses that are lived in all year. "
    "The others stay dark until Easter, and their owners pay somebody from the village to look after the pipes.",
)
TRAM = (
    "The new tram line was to open in April, then in June, and now the operator names no month at all. "
    "Its rails lie ready in the grass between the library and the hospital, and children balance on them after school.",
    "According to the engineer in charge, the signals at two crossings do not agree about who may go first. "
    "Until they do, every test drive needs a man with a flag who walks in front of the train.",
    "The shops along the line have counted what the delay costs them, and the sum was read out in the town hall. "
    "A florist said that she had ordered tulips in the colours of the tram, and given them to the hospital in the end.",
    "The minister visited the depot last week and was shown a carriage that smelled of fresh paint. "
    "He rang the bell once, asked for the price of a ticket, and promised to return as a passenger.",
)
PORT = (
    "老港口的渔船每天凌晨四点出海，码头上的灯一盏接一盏地亮起来，卖早点的小摊也在这个时候支起了炉子。"
    "李秀兰在这里卖了二十六年豆浆，她认得每一条船的马达声，也记得每一位船老大爱吃甜的还是咸的。",
    "去年夏天港务局宣布要扩建货运码头，渔船必须搬到北边五公里外的新泊位，消息传开后茶馆里争论了整整一个星期。"
    "年轻人觉得新泊位有冷库和电子秤，老人们却担心潮水太急，小船靠不稳，上岸还要多走半个小时的路。",
    "为了弄清楚潮水到底有多急，退休教师王建国连续三个月在新泊位记录水位，他的笔记本写满了整齐的数字和小小的箭头。"
    "他把结果画成曲线贴在居委会的墙上，路过的人都要停下来看一会儿，有人还用手机拍下来发给在外地的亲戚。",
    "最后港务局同意保留南侧的六个泊位给小船使用，条件是渔民自己出钱修补那段被台风打坏的防波堤。"
    "签字那天下着小雨，李秀兰免费送出了两百碗豆浆，她说这是她这辈子做得最划算的一笔生意。",
    "秋天到来的时候，防波堤修好了一半，小学的孩子们在新砌的石头上画满了鱼和海鸥，画得最大的是一只红色的螃蟹。"
    "船老大们每人认领了十米，谁家的石头松了谁家去补，茶馆的墙上挂着一张表，哪天谁去过都写得清清楚楚。",
    "如今游客也开始在清晨来到码头，他们排队买豆浆，问哪条船愿意带人出海，李秀兰总是笑着指向最旧的那一条。"
    "她说船旧不要紧，要紧的是掌舵的人看得懂天色，听得出风向，还记得回家之前给她带一条新鲜的带鱼。",
)
POSTS = (
    ("A kettle for the reading room", "The reading room has a kettle again, after the old one was lost in the move."),
    ("Rain stops the summer fair", "The summer fair ended before noon because the meadow had turned into a pond."),
    ("Choir looks for two basses", "The choir needs two more basses before the concert in the mill in November."),
)
FILLER = (
    "Those who were there tell it in different ways, but all of them mention how quiet it was at first. "
    "A committee of three was asked to find out what could be done, and it met in the back room of the inn.",
    "The treasurer counted the money twice and found that there was a little more than anybody had expected. "
    "It will be spent on chairs, said the chairwoman, and if there is anything left after that, on a lamp.",
)


def body_of(*paragraphs: str) -> str:
    return "".join(f"<p>{escape(text)}</p>" for text in paragraphs)


def page_of(title: str, content: str, *, author: str = "", day: str = "", head: str = "", language: str = "en") -> str:
    byline = f'<p class="byline">By <span class="author">{author}</span></p>' if author else ""
    date = f'<time datetime="{day}T08:00:00+00:00">{day}</time>' if day else ""
    return (
        f'<!DOCTYPE html><html lang="{language}"><head><meta charset="utf-8"><title>{escape(title)} - Quayside</title>'
        f'{head}</head><body><header><a href="/">Quayside</a></header><main><article><h1>{escape(title)}</h1>'
        f"{byline}{date}<div class='entry'>{content}</div></article></main><footer>Quayside, the paper</footer></body>"
        "</html>"
    )


def walk() -> Mapping[str, str]:
    """Three pages with numbers, as blogs have them: /walk/, /walk/2/, /walk/3/."""
    paths = ["/walk/", "/walk/2/", "/walk/3/"]
    found = {}
    for number, path in enumerate(paths, start=1):
        links = " ".join(
            f"<span>{n}</span>" if n == number else f'<a href="{other}">{n}</a>' for n, other in enumerate(paths, 1)
        )
        text = body_of(*WALK[2 * number - 2 : 2 * number]) + f'<p class="page-links">Pages: {links}</p>'
        title = "The walk above the harbour" + (f" – Page {number}" if number > 1 else "")
        found[path] = page_of(title, text, author="Nora Field", day="2024-05-06")
    return found


def tram() -> Mapping[str, str]:
    """Two pages that name each other in their heads: /story?id=7, /story?id=7&page=2."""
    title = "The tram that does not come"
    paths = ["/story?id=7", "/story?id=7&page=2"]
    heads = [f'<link rel="next" href="{escape(paths[1])}">', f'<link rel="prev" href="{escape(paths[0])}">']
    ends = [f'<a href="{escape(paths[1])}">Next page</a>', f'<a href="{escape(paths[0])}">Previous page</a>']
    return {
        path: page_of(title, body_of(*TRAM[2 * n : 2 * n + 2]) + end, author="Nora Field", day="2024-05-07", head=head)
        for n, (path, head, end) in enumerate(zip(paths, heads, ends, strict=True))
    }


def port() -> Mapping[str, str]:
    """Three pages with 上一页 and 下一页 alone: /news/20240508.html, /news/20240508_2.html …"""
    paths = ["/news/20240508.html", *(f"/news/20240508_{n}.html" for n in (2, 3))]
    found = {}
    for n, path in enumerate(paths):
        before = f'<a href="{paths[n - 1]}">上一页</a>' if n else ""
        after = f'<a href="{paths[n + 1]}">下一页</a>' if n < 2 else ""
        text = body_of(*PORT[2 * n : 2 * n + 2]) + f"<div class='pager'>{before} {after}</div>"
        title = "老港口的最后一个夏天" + (f"（{n + 1}）" if n else "")
        found[path] = page_of(title, text, author="陈晓", day="2024-05-08", language="zh")
    return found


def posts() -> Mapping[str, str]:
    """Articles that lead to the one before and the one after."""
    found = {}
    for n, (title, lead) in enumerate(POSTS, start=1):
        before = f'<a rel="prev" href="/post/{n - 1}">Previous</a>' if n > 1 else ""
        after = f'<a rel="next" href="/post/{n + 1}">Next</a>' if n < len(POSTS) else ""
        text = body_of(lead, FILLER[0].replace("three", f"{n + 2}"), FILLER[1]) + f"<nav>{before} {after}</nav>"
        found[f"/post/{n}"] = page_of(title, text, author="Nora Field", day=f"2024-05-1{n}")
    return found


def comments() -> Mapping[str, str]:
    """An article whose comments have two pages."""
    lead = "The library lends seeds from today on, in envelopes that were folded by the second form. "
    text = body_of(lead + FILLER[1], FILLER[0])
    found = {}
    for n, path in enumerate(["/seeds/", "/seeds/comment-page-2/"], start=1):
        said = "".join(
            f'<li class="comment" id="comment-{n}{m}"><cite class="fn">Reader {n}{m}</cite>'
            f'<time datetime="2024-05-1{m}T10:00:00+00:00">1{m} May 2024</time>'
            f"<p>I took {n}{m} envelopes home, and so far {m} seeds came up.</p></li>"
            for m in (1, 2, 3)
        )
        other = '<a href="/seeds/comment-page-2/">Newer comments 2</a>' if n == 1 else '<a href="/seeds/">1</a>'
        below = f'<ol class="comment-list">{said}</ol><div class="comment-pager">{other}</div>'
        found[path] = page_of("Seeds from the library", text, author="Nora Field", day="2024-05-09").replace(
            "</article>", f"</article><section id='comments'><h2>Comments</h2>{below}</section>"
        )
    return found


def front(paths: Mapping[str, str]) -> str:
    items = "".join(f'<li><a href="{escape(path)}">{escape(name)}</a></li>' for path, name in paths.items())
    return f"<!DOCTYPE html><title>Quayside</title><h1>Quayside</h1><ul>{items}</ul>"


def site() -> dict[str, str]:
    """All pages by path; the front page leads to the first of each."""
    pages = {**walk(), **tram(), **port(), **posts(), **comments()}
    leads = {path: f"Story {path}" for path in ("/walk/", "/story?id=7", "/news/20240508.html", "/post/1", "/seeds/")}
    return {"/": front(leads), **pages}


@contextmanager
def served(pages: dict[str, str]) -> Iterator[str]:
    """Serve pages, which may change meanwhile, on loopback; yield their origin. What is missing is a 404."""

    class Desk(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            text = pages.get(self.path)
            body = (text or "gone").encode()
            self.send_response(404 if text is None else 200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: object) -> None:
            return

    server = ThreadingHTTPServer(("127.0.0.1", 0), Desk)
    Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()
