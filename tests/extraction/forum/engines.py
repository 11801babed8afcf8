"""The conversation in the manner of forums whose pages no corpus here has."""
# ruff: noqa: E501  # markup, in lines as forums write it

from collections.abc import Callable
from html import escape

from tests.extraction.forum.talk import TITLE, TITLE_ZH, Said, page, talk

Engine = Callable[[list[Said]], str]


def _paragraphs(said: Said, between: str = "<br />") -> str:
    return between.join(map(escape, said.text))


def flarum(posts: list[Said]) -> str:
    rows = "".join(
        f"""<div><h3>{p.author}</h3><div class="Post-body">
        {f'<blockquote class="uncited"><div>{p.quote}</div></blockquote>' if p.quote else ""}
        {"".join(f"<p>{t}</p>" for t in p.text)}</div></div><hr>"""
        for p in posts
    )
    return page(
        f"""<div id="app" class="App"><div id="content"></div><noscript id="flarum-content"><div class="container">
        <h1>{TITLE}</h1><div>{rows}</div><a href="/d/12?page=2">Next Page &raquo;</a></div></noscript></div>"""
    )


def nodebb(posts: list[Said]) -> str:
    rows = "".join(
        f"""<li component="post" class="topic-owner-post" data-index="{p.number - 1}" data-pid="{800 + p.number}"
        data-uid="{p.number}" data-timestamp="{int(p.at.timestamp() * 1000)}" data-username="{p.author}"
        data-userslug="{p.author.lower()}" itemscope itemtype="https://schema.org/Comment">
        <a component="post/anchor" data-index="{p.number - 1}" id="{p.number - 1}"></a>
        <meta itemprop="datePublished" content="{p.at:%Y-%m-%dT%H:%M:%S.000Z}"><meta itemprop="dateModified" content="">
        <div class="clearfix post-header"><div class="icon pull-left"><a href="/user/{p.author.lower()}">
        <div component="user/picture" class="user-icon">{p.author[0].upper()}</div></a></div>
        <small class="pull-left"><strong><a href="/user/{p.author.lower()}" itemprop="author"
        data-username="{p.author}">{p.author}</a></strong> <div class="visible-xs-inline-block">
        <a class="permalink" href="/post/{800 + p.number}"><span class="timeago" title="{p.at:%Y-%m-%dT%H:%M:%S.000Z}">
        </span></a> <span class="hidden">last edited by <strong></strong> <span class="timeago" title=""></span></span>
        </div></small></div><br />
        <div class="content" component="post/content" itemprop="text">
        {
            f'<blockquote><p>@someone said in <a href="/post/1">this</a>:</p><p>{p.quote}</p></blockquote>'
            if p.quote
            else ""
        }
        {"".join(f'<p dir="auto">{t}</p>' for t in p.text)}</div>
        <div class="clearfix post-footer">{
            f'<div component="post/signature" class="post-signature">{p.signature}</div>' if p.signature else ""
        }<small class="pull-right"><a component="post/reply" href="#">Reply</a>
        <a component="post/quote" href="#">Quote</a> <span component="post/vote-count">{
            p.number % 3
        }</span></small></div>
        </li>"""
        for p in posts
    )
    return page(f"""<div class="row"><div class="topic"><h1 component="topic/title">{TITLE}</h1>
        <ul component="topic" class="posts" data-tid="77">{rows}</ul></div></div>""")


def invision(posts: list[Said]) -> str:
    rows = "".join(
        f"""<a id="comment-{4100 + p.number}"></a><article id="elComment_{4100 + p.number}"
        class="cPost ipsBox ipsComment ipsComment_parent ipsClearfix ipsColumns">
        <aside class="ipsComment_author cAuthorPane ipsColumn ipsColumn_medium"><h3 class="ipsType_sectionHead
        cAuthorPane_author"><strong><a href="/profile/{p.number}-{p.author.lower()}/" class="ipsType_break"
        title="Go to {p.author}'s profile">{p.author}</a></strong></h3><ul class="cAuthorPane_info ipsList_reset">
        <li class="cAuthorPane_photo"></li><li>Members</li><li>{12 * p.number} posts</li><li>Location:Dunmouth</li></ul>
        </aside><div class="ipsColumn ipsColumn_fluid"><div id="comment-{4100 + p.number}_wrap"
        class="ipsComment_content ipsType_medium"><div class="ipsComment_meta ipsType_light"><div
        class="ipsPos_right"><ul class="ipsComment_tools"><li><a href="#report">Report post</a></li></ul></div>
        <div class="ipsType_reset"><a href="/topic/9-oil/?do=findComment&amp;comment={4100 + p.number}"
        class="ipsType_blendLinks">Posted <time datetime="{p.at:%Y-%m-%dT%H:%M:%SZ}" title="{p.at:%m/%d/%Y %I:%M  %p}"
        data-short="3 yr">{p.at:%B %d, %Y}</time></a></div></div><div class="cPost_contentWrap">
        <div data-role="commentContent" class="ipsType_normal ipsType_richText ipsContained">
        {f'<blockquote class="ipsQuote" data-ipsquote=""><div class="ipsQuote_citation">On 3/14/2019 at 9:26 AM, X said:</div><div class="ipsQuote_contents"><p>{p.quote}</p></div></blockquote>' if p.quote else ""}
        {"".join(f"<p>{t}</p>" for t in p.text)}</div><div class="ipsItemControls"><ul><li><a href="#">Quote</a></li></ul></div>
        {f'<div data-role="memberSignature" class="ipsType_light"><p>{p.signature}</p></div>' if p.signature else ""}
        </div></div></div></article>"""
        for p in posts
    )
    return page(f"""<div class="ipsPageHeader"><h1>{TITLE}</h1><p>By <a href="/profile/1-mortimer77/">mortimer77</a>,
        <time datetime="2019-03-14T09:26:00Z">March 14, 2019</time> in Gearboxes</p></div>
        <div id="comments" class="cTopic ipsClear_after"><form>{rows}</form></div>""")


def vbulletin3(posts: list[Said]) -> str:
    rows = "".join(
        f"""<div align="center"><div class="page"><div id="edit{p.number}9" style="padding:0px 25px 0px 25px">
        <table class="tborder" id="post{p.number}9" cellpadding="6" cellspacing="0" border="0" width="100%"><tr>
        <td class="thead" style="font-weight:normal"><div class="normal" style="float:right">&nbsp;#<a
        href="showpost.php?p={p.number}9&amp;postcount={p.number}" name="{p.number}"><strong>{p.number}</strong></a> &nbsp;
        </div><div class="normal"><a name="post{p.number}9"></a>{p.at:%m-%d-%Y, %I:%M %p}</div></td></tr><tr>
        <td class="alt2" style="padding:0px"><table cellpadding="0" cellspacing="6" border="0" width="100%"><tr>
        <td nowrap="nowrap"><div id="postmenu_{p.number}9"><a class="bigusername"
        href="member.php?u={p.number}4">{p.author}</a></div><div class="smallfont">Senior Member</div></td>
        <td width="100%">&nbsp;</td><td valign="top" nowrap="nowrap"><div class="smallfont"><div>Join Date: Jun 2008</div>
        <div>Location: Dunmouth</div><div>Posts: {p.number * 31}</div></div></td></tr></table></td></tr><tr>
        <td class="alt1" id="td_post_{p.number}9"><div class="smallfont"><strong>{"Re: " if p.number > 1 else ""}{TITLE}</strong>
        </div><hr size="1" /><div id="post_message_{p.number}9">
        {f'<div style="margin:20px; margin-top:5px; "><div class="smallfont">Quote:</div><table cellpadding="6" width="100%"><tr><td class="alt2"><div>Originally Posted by <strong>X</strong></div><div style="font-style:italic">{p.quote}</div></td></tr></table></div>' if p.quote else ""}
        {_paragraphs(p, "<br /><br />")}</div>
        {f"<div>__________________<br />{p.signature}</div>" if p.signature else ""}</td></tr><tr>
        <td class="alt1" align="right"><a href="newreply.php?do=newreply&amp;p={p.number}9">Reply With Quote</a></td></tr>
        </table></div></div></div>"""
        for p in posts
    )
    return page(f'<h1>{TITLE}</h1><div id="posts">{rows}<div id="lastpost"></div></div>')


def vbulletin4(posts: list[Said]) -> str:
    rows = "".join(
        f"""<li class="postbitlegacy postbitim postcontainer" id="post_{p.number}77"><div class="posthead">
        <span class="postdate old"><span class="date">{p.at:%d-%m-%Y},&nbsp;<span class="time">{p.at:%H:%M}</span></span></span>
        <span class="nodecontrols"><a name="post{p.number}77" href="showthread.php?5-oil&amp;p={p.number}77#post{p.number}77"
        class="postcounter">#{p.number}</a></span></div><div class="postdetails"><div class="userinfo">
        <div class="username_container"><a class="username offline popupctrl" href="member.php?{p.number}-x"
        title="{p.author} is offline"><strong>{p.author}</strong></a></div><span class="usertitle">Senior Member</span>
        <dl class="userinfo_extra"><dt>Join Date</dt><dd>Jun 2008</dd><dt>Posts</dt><dd>{31 * p.number}</dd></dl></div>
        <div class="postbody"><div class="postrow"><h2 class="title icon">Re: {TITLE}</h2><div class="content">
        <div id="post_message_{p.number}77"><blockquote class="postcontent restore ">
        {f'<div class="bbcode_container"><div class="bbcode_quote"><div class="quote_container"><div class="bbcode_postedby">Originally Posted by <strong>X</strong></div><div class="message">{p.quote}</div></div></div></div>' if p.quote else ""}
        {_paragraphs(p)}</blockquote></div></div></div>
        {f'<blockquote class="signature restore"><div class="signaturecontainer">{p.signature}</div></blockquote>' if p.signature else ""}
        </div></div><div class="postfoot"><div class="textcontrols"><a class="newreply" href="#">Reply With Quote</a></div>
        </div></li>"""
        for p in posts
    )
    return page(f'<h1>{TITLE}</h1><div id="postlist" class="postlist"><ol id="posts" class="posts">{rows}</ol></div>')


def smf(posts: list[Said]) -> str:
    rows = "".join(
        f"""<div class="windowbg{2 if p.number % 2 else ""}"><span class="topslice"><span></span></span>
        <div class="post_wrapper"><div class="poster"><h4><img alt="Offline" />
        <a href="index.php?action=profile;u={p.number}" title="View the profile of {p.author}">{p.author}</a></h4>
        <ul class="reset smalltext" id="msg_{p.number}55_extra_info"><li class="postgroup">Full Member</li>
        <li class="postcount">Posts: {31 * p.number}</li></ul></div><div class="postarea"><div class="flow_hidden">
        <div class="keyinfo"><div class="messageicon"><img alt="" /></div><h5 id="subject_{p.number}55">
        <a href="index.php?topic=12.msg{p.number}55#msg{p.number}55" rel="nofollow">Re: {TITLE}</a></h5>
        <div class="smalltext">&#171; <strong>Reply #{p.number} on:</strong> {p.at:%B %d, %Y, %I:%M:%S %p} &#187;</div>
        <div id="msg_{p.number}55_quick_mod"></div></div></div><div class="post"><div class="inner" id="msg_{p.number}55">
        {f'<div class="quoteheader"><div class="topslice_quote"><a href="index.php?topic=12">Quote from: X on March 14, 2019, 09:26:00 am</a></div></div><blockquote class="bbc_standard_quote">{p.quote}</blockquote><div class="quotefooter"><div class="botslice_quote"></div></div>' if p.quote else ""}
        {_paragraphs(p)}</div></div></div><div class="moderatorbar"><div class="smalltext modified" id="modified_{p.number}">
        </div><div class="smalltext reportlinks"><img alt="" /> Logged</div>
        {f'<div class="signature" id="msg_{p.number}55_signature">{p.signature}</div>' if p.signature else ""}</div></div>
        <span class="botslice"><span></span></span></div><hr class="post_separator" />"""
        for p in posts
    )
    return page(f'<div id="forumposts"><div class="cat_bar"><h3>{TITLE}</h3></div><form>{rows}</form></div>')


def mybb(posts: list[Said]) -> str:
    rows = "".join(
        f"""<a name="pid{p.number}3" id="pid{p.number}3"></a><div class="post classic " id="post_{p.number}3">
        <div class="post_author scaleimages"><div class="author_information"><strong><span class="largetext">
        <a href="member.php?action=profile&amp;uid={p.number}">{p.author}</a></span></strong><br />
        <span class="smalltext">Junior Member<br /></span></div><div class="author_statistics">Posts: {p.number * 31}<br />
        Threads: 2<br />Joined: Jun 2008<br />Reputation: <strong class="reputation_neutral">0</strong></div></div>
        <div class="post_content"><div class="post_head"><div class="float_right"><strong><a
        href="showthread.php?tid=4&amp;pid={p.number}3#pid{p.number}3">#{p.number}</a></strong></div>
        <span class="post_date">{p.at:%m-%d-%Y, %I:%M %p} <span class="post_edit" id="edited_by_{p.number}3"></span></span>
        </div><div class="post_body scaleimages" id="pid_{p.number}3">
        {f'<blockquote class="mycode_quote"><cite><span> (03-14-2019, 09:26 AM)</span>X Wrote: </cite>{p.quote}</blockquote>' if p.quote else ""}
        {_paragraphs(p)}</div>{f'<div class="signature scaleimages">{p.signature}</div>' if p.signature else ""}
        <div class="post_meta" id="post_meta_{p.number}3"></div></div><div class="post_controls"><div
        class="author_buttons"><a href="search.php?action=finduser" title="Find all posts by this user">Find</a></div>
        <div class="post_management_buttons"><a href="newreply.php">Reply</a></div></div></div>"""
        for p in posts
    )
    return page(
        f'<table class="tborder"><tr><td class="thead"><strong>{TITLE}</strong></td></tr><tr><td id="posts_container">'
        f'<div id="posts">{rows}</div></td></tr></table>'
    )


def xiuno(posts: list[Said]) -> str:
    first, *others = posts
    rows = "".join(
        f"""<li class="media post" data-pid="{p.number}" data-uid="{p.number}"><a href="user-{p.number}.htm" class="ml-1">
        <img class="avatar-3"></a><div class="media-body"><div class="d-flex justify-content-between small text-muted">
        <div><span class="username"><a href="user-{p.number}.htm" class="text-muted font-weight-bold">{p.author}</a></span>
        <span class="date text-muted ml-2">{p.at:%Y-%m-%d %H:%M}</span></div><div><a href="javascript:void(0)"
        class="text-muted post_reply mr-3">引用</a><span class="floor-parent"><span class="floor mr-0">{p.number}</span>楼</span>
        </div></div><div class="message mt-1 break-all">
        {f'<blockquote class="blockquote"><a href="user-1.htm" class="text-small text-muted user">X</a>{p.quote}</blockquote>' if p.quote else ""}
        {_paragraphs(p)}</div></div></li>"""
        for p in others
    )
    return page(
        f"""<div class="card card-thread"><div class="card-body"><div class="media"><a href="user-1.htm"><img class="avatar-3">
        </a><div class="media-body"><h4 class="break-all">{TITLE_ZH}</h4><div class="d-flex small"><div>
        <span class="username"><a href="user-1.htm" class="text-muted font-weight-bold">{first.author}</a></span>
        <span class="date text-grey ml-2">{first.at:%Y-%m-%d %H:%M}</span><span class="text-grey ml-2">
        <i class="icon-eye"></i> 812</span></div></div></div></div><hr /><div class="message break-all" isfirst="1">
        {"".join(f"<p>{t}</p>" for t in first.text)}</div></div></div><div class="card card-postlist">
        <div class="card-title"><b>最新回复</b> (<span class="posts">{len(others)}</span>)</div>
        <ul class="list-unstyled postlist">{rows}</ul></div>""",
        TITLE_ZH,
    )


def tieba(posts: list[Said]) -> str:
    rows = "".join(
        f"""<div class="l_post l_post_bright j_l_post clearfix" data-pid="99{p.number}"><div class="d_author"><ul
        class="p_author"><li class="icon"><div class="icon_relative j_user_card"><a class="p_author_face" href="/home/main?un=x">
        <img></a></div></li><li class="d_name"><a class="p_author_name j_user_card" href="/home/main?un={p.author}"
        target="_blank">{p.author}</a></li><li class="l_badge"><div class="p_badge"><a href="#"><div
        class="d_badge_title">铁杆会员</div><div class="d_badge_lv">{6 + p.number}</div></a></div></li></ul></div>
        <div class="d_post_content_main"><div class="p_content"><cc><div id="post_content_99{p.number}"
        class="d_post_content j_d_post_content clearfix">{_paragraphs(p, "<br>")}</div></cc></div>
        <div class="core_reply j_lzl_wrapper"><div class="core_reply_tail clearfix"><div class="j_lzl_r p_reply"><a
        href="#">回复</a></div><div class="post-tail-wrap"><span class="tail-info">来自<a href="#">手机客户端</a></span>
        <span class="tail-info">{p.number}楼</span><span class="tail-info">{p.at:%Y-%m-%d %H:%M}</span></div></div></div>
        </div></div>"""
        for p in posts
    )
    return page(
        f"""<div class="core_title"><h3 class="core_title_txt">{TITLE_ZH}</h3></div>
        <div class="p_postlist" id="j_p_postlist">{rows}</div>""",
        TITLE_ZH,
    )


def tianya(posts: list[Said]) -> str:
    first, *others = posts
    rows = "".join(
        f"""<div class="atl-item" js_username="{p.author}" replyid="77{p.number}" id="{p.number}"><div class="atl-head">
        <div class="atl-head-reply"></div><div class="atl-info"><span>作者：<a href="http://www.example.org/{p.number}"
        target="_blank" class="js-vip-check" uname="{p.author}">{p.author}</a></span>
        <span>时间：{p.at:%Y-%m-%d %H:%M:%S}</span></div></div><div class="atl-content"><div class="atl-con-hd"></div>
        <div class="atl-con-bd clearfix"><div class="bbs-content">{_paragraphs(p, "<br>")}</div><div class="atl-reply">
        来自 <a href="#">手机版</a> | <a href="#">举报</a> | <span>{p.number - 1}楼</span> | <a href="#">回复</a></div></div>
        </div></div>"""
        for p in others
    )
    return page(
        f"""<div class="atl-title"><h1>{TITLE_ZH}</h1></div><div class="atl-menu"><div class="atl-info"><span>楼主：<a
        href="http://www.example.org/1" uname="{first.author}">{first.author}</a></span> <span>时间：{first.at:%Y-%m-%d %H:%M:%S}
        </span> <span>点击：812</span> <span>回复：4</span></div></div><div class="atl-main"><div class="atl-item host-item">
        <div class="atl-content"><div class="atl-con-bd clearfix"><div class="bbs-content clearfix">
        {_paragraphs(first, "<br>")}</div></div></div></div>{rows}</div>""",
        TITLE_ZH,
    )


ENGINES: dict[str, Engine] = {
    "flarum": flarum, "nodebb": nodebb, "invision": invision, "vbulletin3": vbulletin3, "vbulletin4": vbulletin4,
    "smf": smf, "mybb": mybb, "xiuno": xiuno, "tieba": tieba, "tianya": tianya,
}  # fmt: skip
CHINESE = frozenset({"xiuno", "tieba", "tianya"})
UNTIMED = frozenset({"flarum"})


def conversation(name: str, posts: int = 6) -> tuple[str, list[Said]]:
    """Return a page of an engine, and what is said on it."""
    said = talk("zh" if name in CHINESE else "en", posts=posts)
    return ENGINES[name](said), said
