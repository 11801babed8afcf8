# ruff: noqa: E501  # markup is easier to compare with its engine in one line
"""Boards and front pages in the markup of forum engines that nothing was trained on, with words of our own."""

from dataclasses import dataclass

TITLES = (
    "Kettle will not switch off any more",
    "Which oil for a squeaking gate?",
    "Old radio hums after an hour",
    "Glue for wooden drawers",
    "Bread oven door, where to find a spring",
    "Sharpening a plough blade at home",
)
CHINESE = (
    "水壶烧开以后不跳闸怎么办",
    "大门总是吱吱响用什么油",
    "旧收音机一小时后有杂音",
    "木抽屉用什么胶水",
    "烤箱门弹簧哪里买",
    "犁刀在家怎么磨",
)
USERS = ("Anna", "bert_7", "Carla Q", "dora", "Emil", "fritz")


@dataclass(frozen=True, slots=True)
class Engine:
    """A forum engine: the frame of its pages, a row of a board, a row of its front page, and what it is to find."""

    name: str
    frame: str
    row: str
    front: str
    thread: str  # the address of a thread by its number
    board: str
    titles: tuple[str, ...] = TITLES

    def board_page(self) -> str:
        """Return a thread list."""
        return self.frame.format(main=self._rows(self.row), title="Repairs")

    def front_page(self) -> str:
        """Return the list of boards."""
        return self.frame.format(main=self._rows(self.front), title="Workshop forum")

    def threads(self) -> list[str]:
        """Return the addresses of the threads on the board page."""
        return [self.thread.format(n=n, u=n + 1) for n in range(len(self.titles))]

    def boards(self) -> list[str]:
        """Return the addresses of the boards on the front page."""
        return [self.board.format(n=n) for n in range(len(self.titles))]

    def _rows(self, template: str) -> str:
        return "\n".join(
            template.format(
                n=number,
                u=number + 1,
                title=title,
                user=USERS[number],
                thread=self.thread.format(n=number, u=number + 1),
                board=self.board.format(n=number),
                replies=3 * number + 1,
                views=170 + 13 * number,
                day=20 - number,
            )
            for number, title in enumerate(self.titles)
        )


ENGINES = (
    Engine(
        "vbulletin",
        "<title>{title}</title><body><a href='login.php?do=login'>Log in</a><a href='register.php'>Register</a>"
        "<a href='calendar.php'>Calendar</a><a href='forumdisplay.php?f=4&order=desc&sort=title'>Title</a>"
        "<table id=threadslist>{main}</table><a href='forumdisplay.php?f=4&page=2'>2</a></body>",
        "<tr><td><img src=i.gif></td><td><a href='{thread}'>{title}</a><div class=smallfont><span>{user}</span></div></td>"
        "<td><div>05-{day:02}-2024 <span>09:1{n} PM</span><br>by <a href='member.php?u={n}'>{user}</a>"
        "<a href='showthread.php?p=55{n}#post55{n}'><img src=l.gif></a></div></td><td><a href='#'>{replies}</a></td>"
        "<td>{views}</td></tr>",
        "<tr><td><div><a href='{board}'><strong>Corner {n}</strong></a></div><div>About repairs of all sorts</div></td>"
        "<td><a href='{thread}'>{title}</a> by <a href='member.php?u={n}'>{user}</a> 05-{day:02}-2024 09:1{n} PM</td>"
        "<td>{replies}</td><td>{views}</td></tr>",
        "showthread.php?t=9{n}",
        "forumdisplay.php?f=7{n}",
    ),
    Engine(
        "smf",
        "<title>{title}</title><body><a href='index.php?action=login'>Login</a><a href='index.php?action=search'>Search</a>"
        "<div class=messageindex><table class=table_grid><tbody>{main}</tbody></table></div></body>",
        "<tr><td class=icon2><img src=xx.gif></td><td class=subject><div><span><a href='{thread}'>{title}</a></span>"
        "<p>Started by <a href='index.php?action=profile;u={n}'>{user}</a></p></div></td><td class=stats>{replies} Replies"
        "<br>{views} Views</td><td class=lastpost><a href='index.php?topic=5{n}.msg88{n}#new'><img src=l.gif></a>"
        "May {day:02}, 2024, 10:1{n}:04 am<br>by <a href='index.php?action=profile;u={u}'>{user}</a></td></tr>",
        "<tr><td class=info><a class=subject href='{board}'>Corner {n}</a><p>About repairs of all sorts</p></td>"
        "<td class=stats><p>{views} Posts<br>{replies} Topics</p></td><td class=lastpost><p>Last post by "
        "<a href='index.php?action=profile;u={n}'>{user}</a> in <a href='{thread}'>{title}</a> on May {day:02}, 2024</p></td></tr>",
        "index.php?topic=5{n}.0",
        "index.php?board=3{n}.0",
    ),
    Engine(
        "mybb",
        "<title>{title}</title><body><a href='member.php?action=login'>Login</a><a href='memberlist.php'>Members</a>"
        "<a href='forum-4.html?sortby=replies&order=desc'>Replies</a><table class=tborder>{main}</table></body>",
        "<tr class=inline_row><td class=trow1><span><a href='{thread}' id=tid_{n}>{title}</a></span><div class='author smalltext'>"
        "<a href='user-{n}.html'>{user}</a></div></td><td class=trow2><a href='javascript:;'>{replies}</a></td>"
        "<td class=trow1>{views}</td><td class=trow2><span>05-{day:02}-2024, 01:4{n} PM<br><a href='{thread}?action=lastpost'>"
        "Last Post</a>: <a href='user-{u}.html'>{user}</a></span></td></tr>",
        "<tr><td class=trow1><strong><a href='{board}'>Corner {n}</a></strong><div>About repairs of all sorts</div></td>"
        "<td>{replies}</td><td>{views}</td><td><span><a href='{thread}?action=lastpost'>{title}</a><br>05-{day:02}-2024, "
        "01:4{n} PM<br>by <a href='user-{n}.html'>{user}</a></span></td></tr>",
        "thread-8{n}.html",
        "forum-6{n}.html",
    ),
    Engine(
        "nodebb",
        "<title>{title}</title><body><a href='/login'>Login</a><a href='/users'>Users</a><ul component=category>{main}</ul></body>",
        "<li component='category/topic'><a href='/user/{user}'><img src=a.png></a><h3><a href='{thread}'>{title}</a></h3>"
        "<div><span>{replies}</span> Posts</div><div><span>{views}</span> Views</div><div><a href='/post/77{n}'>{u} days ago"
        "</a> <a href='/user/{user}'>{user}</a></div></li>",
        "<li component='categories/category'><h2><a href='{board}'>Corner {n}</a></h2><div>About repairs of all sorts</div>"
        "<span>{replies}</span> Topics <span>{views}</span> Posts <a href='{thread}'>{title}</a> "
        "<a href='/user/{user}'>{user}</a> {u} days ago</li>",
        "/topic/31{n}/a-slug-of-words",
        "/category/2{n}/corner",
    ),
    Engine(
        "flarum",
        "<title>{title}</title><body><a href='/login'>Log in</a><ul class=DiscussionList>{main}</ul></body>",
        "<li><div><a href='/u/{user}'>{user}</a><a href='{thread}'><h2>{title}</h2><ul><li>{user} replied <time "
        "datetime='2024-05-{day:02}T10:00:00+00:00'>{u}d</time></li></ul></a><span>{replies}</span> <span>{views}</span></div></li>",
        "<li><a href='{board}'>Corner {n}</a><p>About repairs of all sorts</p><span>{replies}</span> <span>{views}</span>"
        "<a href='{thread}'>{title}</a> <a href='/u/{user}'>{user}</a> <time datetime='2024-05-{day:02}'>{u}d</time></li>",
        "/d/44{n}-a-slug-of-words",
        "/t/corner-{n}",
    ),
    Engine(
        "xiuno",
        "<title>{title}</title><body><a href='user-login.htm'>登录</a><a href='user-create.htm'>注册</a>"
        "<ul class=threadlist>{main}</ul><a href='forum-1-2.htm'>下一页</a></body>",
        "<li class='media thread'><a href='user-{n}.htm'><img src=a.png></a><div><div class=subject><a href='{thread}'>{title}"
        "</a></div><div><span class=username>{user}</span> <span class=date>{u}小时前</span> <i>{views}</i> <i>{replies}</i></div>"
        "</div></li>",
        "<li><a href='{board}'>第{n}角</a> <i>{replies}</i> <i>{views}</i> <a href='{thread}'>{title}</a> "
        "<a href='user-{n}.htm'>{user}</a> {u}小时前</li>",
        "thread-62{n}.htm",
        "forum-5{n}.htm",
        CHINESE,
    ),
    Engine(
        "tieba-like",
        "<title>{title}</title><body><a href='/login'>登录</a><ul id=thread_list>{main}</ul><a href='/f?kw=x&pn=50'>下一页</a></body>",
        "<li class=j_thread_list><div><span class=rep_num>{replies}</span></div><div><a href='{thread}' title='{title}'>{title}</a>"
        "<span><a href='/home/main?un={user}'>{user}</a></span><i>{views}</i><span class=reply_date>10:3{n}</span></div></li>",
        "<li><a href='{board}'>第{n}吧</a> <span>{replies}</span> <span>{views}</span> <a href='{thread}'>{title}</a> "
        "<a href='/home/main?un={user}'>{user}</a> 10:3{n}</li>",
        "/p/7654321{n}",
        "/f?kw=corner{n}",
        CHINESE,
    ),
    Engine(
        "homemade",
        "<title>{title}</title><body><a href='/enter'>Come in</a><div>{main}</div></body>",
        "<div><b><a href='{thread}'>{title}</a></b> <i><a href='/folk/{user}'>{user}</a></i> <u>{replies}</u> <u>{views}</u> "
        "<s>2024-05-{day:02} 12:00</s></div>",
        "<div><b><a href='{board}'>Corner number {n}</a></b> <u>{replies}</u> <u>{views}</u> <a href='{thread}'>{title}</a> "
        "<i><a href='/folk/{user}'>{user}</a></i> <s>2024-05-{day:02} 12:00</s></div>",
        "/talk/{n}17",
        "/corner/{n}",
    ),
)  # fmt: skip
