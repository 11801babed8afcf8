"""Lists of Chinese names as bylines give them: "王小明 李四", "王小明、李四 通讯员 赵五 北京报道"."""

import re

from thresher.extraction.fields.name_words import NOBODY, SURNAMES
from thresher.extraction.fields.names import is_person, is_surely_chinese_name, names_an_office
from thresher.extraction.fields.words_cjk import NO_NAMES

MAX_PEN_NAME = 20  # characters
MAX_NAMES = 10
MIN_WITH_PAPER = 4  # characters of a name and a paper's before it

_SPACE = " \u3000\xa0"
_POLITE = ("小姐", "先生", "女士", "某某")  # one of whom a text tells
_HAN_NAME = re.compile("[\u4e00-\u9fff]{2,4}")
_NO_NAME = re.compile("[的了是在从我你他她们們吗呢不把被就也都到将將等个個]|.[這这那于於]")
_LABEL_END = re.compile(
    r"来源|來源|编辑|編輯|责编|責編|责任|時間|时间|日期|发布|發佈|发表|阅读|点击|浏览|人气|摄影|图片|图[/／:：]|字号|评论|"
    r"校对|审核|提交|回复|访问|更新|录入|上传|转载|字体|关注|邮箱|收藏|分享|打印|举报|订阅|纠错|播报|我要|大中小|微信|微博|繁体|标签|栏目|"
    r"發布|發表|發佈|閱讀|點擊|瀏覽|人氣|攝影|圖片|圖[/／:：]|字號|評論|校對|審核|訪問|轉載|關注|[：:]|[（()）|｜【\[\]】<>《。；！？“”]|(?<![A-Za-z_])\d{2}"
)
_BETWEEN = re.compile(rf"[{_SPACE}、，,/／|｜丨]+|(?<=[\u4e00-\u9fff]{{2}})[和与](?=[\u4e00-\u9fff]{{2}})")
_LISTED = re.compile("[、&＆]")
_PARTED = re.compile(rf"(?<![\u4e00-\u9fff])([\u4e00-\u9fff])[{_SPACE}]+([\u4e00-\u9fff])(?![\u4e00-\u9fff])")  # 王　刚
_ROLE = re.compile(
    "(?:[^\\s、，]{0,6}[报网社台刊])?(?:首席|高级|见习|实习|特约|特派|驻.{2,6}?)?"
    "(?:记者|記者|通讯员|通訊員|撰稿人?|评论员|特派员|编译|实习生|作家|主笔|主筆)[:：◎]?"
)
_TAIL = re.compile(
    r"(?:(?:\d+月)?[\d一二三四五六七八九十]+日(?:[电電讯訊]|报[道导])?|[综摄][合影]报[道导]|(?:采访|採訪)?(?:报[道导導]|報[道導])|[（(]?[发發]自.*|整理|整合|综合|采写|编[辑译].*)$"
)
# Who else had a hand in it, or what the one named before did: "每经编辑 李四", "王小明 文 李四 图".
_OTHERS = re.compile(
    rf"[{_SPACE}|｜丨/／]\S{{0,4}}(?:编辑|編輯|责编|責編|编审|校对|审核|监制|制作|策划|摄影|摄像|图片|视频|主编|统筹|排版|设计|译者|翻译)"
    rf"|[{_SPACE}]\S{{2,4}}[/／][摄攝图圖]|[{_SPACE}]文(?=[{_SPACE}/／、]|$)|[{_SPACE}（(](?:电话|手机|热线|邮箱|图片由|除署名)"
)
# Names that are written by their sound: of foreigners, with initials, and of Tibetans, Mongols and Uygurs.
_ABROAD = re.compile("[\u4e00-\u9fff]{1,6}(?:[·•‧・.．](?:[A-Z]|[\u4e00-\u9fff]{1,6}))+")
_BORDERS = re.compile(
    "[阿巴扎西次仁卓玛多杰才让旦增格桑尼顿珠达瓦普布央金拉姆索南洛措旺堆乌云其木力吉日娜雅特尔呼热合买提古丽亚孜艾迪]{3,6}"
)
_LATIN = re.compile(r"[A-Z][A-Za-zÀ-ž.'’-]*(?: [A-Z][A-Za-zÀ-ž.'’-]*){1,3}(?![\w])")
_TRAINEE = re.compile(
    r"^\s?(?:见习|見習|实习|實習|助理|特约|特約)(?:编辑|編輯)[\s:：]*(?=[\u4e00-\u9fff])"
)  # 见习编辑 王小明
_PAPER = re.compile(r"^\S{1,10}(?:[报報网網社台刊]|中心)(?=[\u4e00-\u9fff]{2,4}$)")  # 晨网王小明
_COUNTRY = re.compile(r"^\s?[\[［（(【〔].{1,3}[\]］）)】〕]")  # [美]
_ACCOUNT_LABEL = re.compile(
    r"^(?:[^\s:：]{0,4}(?:作者|编辑|撰文|文|记者|記者|发布者|发布人|责编)\s?[:：/|｜丨]|[由文]\s|[记記]者\s?)\s?"
)
_NO_ACCOUNT = re.compile(
    r"[，。、！？：:；“”《》#{}<>]|\d{3}|\d\s?[-/.年月]\s?\d|\d日[电電讯訊]|^\d+$|^(?:已?关注|關注|原创|原創|粉丝|文章|订阅|举报|私信|登录|登入|注册|"
    r"发布|發布|发表|阅读|閱讀|评论|評論|分享|收藏|点赞|来源|來源|官方|认证|首页|首頁|更多|详情|用户名|昵称|姓名|密码|编辑|責任|责任|"
    r"转载|搜索|我的|退出|会员|会員|欢迎|作者简介|关于作者|专栏|個人|个人|会员中心|返回|申请|点击|免费|立即|参与)"
)
_CITIES = """
    北京 上海 广州 深圳 天津 重庆 武汉 南京 成都 杭州 香港 澳门 台北 台中 高雄 西安 长沙 沈阳 哈尔滨 长春 大连 济南
    青岛 郑州 合肥 福州 厦门 南昌 南宁 海口 昆明 贵阳 兰州 西宁 银川 拉萨 乌鲁木齐 呼和浩特 太原 石家庄 苏州 宁波
    三亚 廣州 臺北 東京 东京 大阪 首尔 平壤 曼谷 新加坡 吉隆坡 雅加达 马尼拉 河内 新德里 孟买 伊斯兰堡 喀布尔 德黑兰
    巴格达 大马士革 耶路撒冷 开罗 内罗毕 约翰内斯堡 莫斯科 基辅 华沙 柏林 慕尼黑 法兰克福 巴黎 伦敦 罗马 米兰 马德里
    巴塞罗那 里斯本 布鲁塞尔 日内瓦 苏黎世 维也纳 雅典 伊斯坦布尔 斯德哥尔摩 哥本哈根 奥斯陆 赫尔辛基 华盛顿 纽约
    洛杉矶 旧金山 芝加哥 休斯敦 波士顿 西雅图 多伦多 温哥华 渥太华 墨西哥城 里约热内卢 圣保罗 布宜诺斯艾利斯 悉尼
    墨尔本 堪培拉 惠灵顿
"""
_PROVINCES = """
    河北 山西 辽宁 吉林 黑龙江 江苏 浙江 安徽 福建 江西 山东 河南 湖北 湖南 广东 海南 四川 贵州 云南 陕西 甘肃 青海
    台湾 臺灣 内蒙古 广西 西藏 宁夏 新疆 美国 英国 法国 德国 日本 韩国 俄罗斯 澳大利亚 加拿大
"""
PLACES = (*_CITIES.split(), *_PROVINCES.split())
_DONE = "文 图 摄 电 讯 文图 图文 摄影 综合 撰写 译 编译 参与采写 供稿 投稿 撰稿 口述 记录"
_PENS = frozenset(_DONE.split())  # what one did, beside the name


def people(text: str, *, whole: bool = False) -> tuple[str, ...]:
    """Return the names of people that a text begins with; none where `whole` and it goes on with something else."""
    return _listed(text, any_until=0, whole=whole)


def reporters(text: str) -> tuple[str, ...]:
    """Return the names of a text that is a list of them and nothing else; any two to four characters are a name."""
    return _listed(text, any_until=MAX_NAMES, whole=True) or tuple(filter(None, [signed_name(text)]))


def signed_name(text: str) -> str:
    """Return the name, assumed perhaps, that a text of two to four characters can be; empty when it can be none."""
    name = _PARTED.sub(r"\1\2", text.strip(_SPACE))
    if not _HAN_NAME.fullmatch(name) or name in NO_NAMES or name in PLACES or names_an_office(name):
        return ""
    return "" if _NO_NAME.search(name) or _TAIL.search(name) else name


def without_paper(text: str) -> str:
    """Return the name that a text ends with behind that of a paper or a desk; the text where it does not."""
    if len(text) > MIN_WITH_PAPER and (match := _PAPER.match(text)) and is_surely_chinese_name(text[match.end() :]):
        return text[match.end() :]
    return text


def _without_others(text: str) -> str:
    end = _OTHERS.search(text)
    return text[: end.start()] if end else text


def after_label(text: str, *, pen_name: bool) -> tuple[str, ...]:
    """Read what follows a word for the author: people, or pen names up to the next white space."""
    text = _TRAINEE.sub("", _COUNTRY.sub("", text))
    if end := _LABEL_END.search(text):
        text = _without_label(text[: end.start()], end[0])
    text = _PARTED.sub(r"\1\2", _without_others(text.strip(_SPACE + "/／|｜丨-—")))
    if latin := _LATIN.match(text):
        return (latin[0],)
    if all(map(_is_name, _LISTED.split(text))):  # an & may be part of a pen name
        text = _LISTED.sub("、", text)
    named = _ROLE.split(text)[-1] if _ROLE.search(text[:20]) else text
    is_list = "、" in named or all(map(_may_be_name, filter(None, _BETWEEN.split(named))))
    names = _listed(named, any_until=MAX_NAMES if is_list else 1, whole=False)
    if not names and len(parts := named.split()) == 2:  # 北京大学教授 王小明
        names = people(parts[1], whole=True)
    pens = _pen_names(text) if pen_name else ()
    return pens if len(pens) > len(names) else names


def _without_label(text: str, end: str) -> str:
    """Cut off the beginning of the next label, glued to what ended the text: "王小明 推荐人" before a colon."""
    if end in "（()）|｜【[]】<>《。；！？“”" or text[-1:] in _SPACE or end.isdigit():
        return text
    before, _, label = re.sub(rf"[{_SPACE}，,|｜]+(?=[^{_SPACE}，,|｜]*$)", "\0", text, count=1).rpartition("\0")
    return before or ("" if end in "：:" else label)


def account_in(text: str) -> str:
    """Return the name of an account that a text of its own gives, with a label or without; empty when it gives none."""
    name = _ACCOUNT_LABEL.sub("", text).strip(_SPACE + "·|/@[]【】（）()")
    if not 2 <= len(name) <= MAX_PEN_NAME or name.lower() in NOBODY or _NO_ACCOUNT.search(name):
        return ""
    return name


def _pen_names(text: str) -> tuple[str, ...]:
    first = re.split(rf"[{_SPACE}，,]", text, maxsplit=1)[0]
    names = _LISTED.split(first) if "、" in first else [first]
    return tuple(names) if all(map(_is_pen_name, names)) else ()


def _is_pen_name(name: str) -> bool:
    return 2 <= len(name) <= MAX_PEN_NAME and name.lower() not in NO_NAMES and name[0] not in "：:/。！"


def _listed(text: str, *, any_until: int, whole: bool) -> tuple[str, ...]:
    """Read names up to what is none; the first `any_until` of them may have any surname."""
    names: list[str] = []
    for part in _BETWEEN.split(_PARTED.sub(r"\1\2", _ROLE.sub(" ", _without_others(text))))[: MAX_NAMES + 2]:
        name = _TAIL.sub("", part)
        if name != part and not _is_name(name):
            name = "" if names else _before_place(name)  # 北京报道, 王小明北京报道
        name = without_paper(name)
        if not name or name in _PENS or _is_place(name):
            continue
        if (
            name in NO_NAMES
            or name.endswith(_POLITE)
            or not (_is_name(name) or (len(names) < any_until and _may_be_name(name)))
        ):
            if whole:
                return ()
            break
        names.append(name)
    return tuple(dict.fromkeys(names))


def _is_name(text: str) -> bool:
    """Say whether a text looks like the name of a person, Chinese or not, as Chinese pages write it."""
    return is_person(text) or _ABROAD.fullmatch(text) is not None or _BORDERS.fullmatch(text) is not None


def _is_place(text: str) -> bool:
    return text in PLACES or (text[:2] in PLACES and text[2:] in PLACES)  # 湖北武汉


def _before_place(text: str) -> str:
    """Return the name that a place follows, or the text as it is."""
    place = next((place for place in PLACES if text.endswith(place)), "")
    if place and _is_name(name := text.removesuffix(place)):
        return name
    return text[:3] if len(text) > 4 and _is_name(text[:3]) else text


def _may_be_name(name: str) -> bool:
    """Say whether what stands where a name must be can be one, of however rare a surname, or a pen name."""
    if name in NO_NAMES or not _HAN_NAME.fullmatch(name) or names_an_office(name):
        return False
    return (len(name) < 4 or name[0] in SURNAMES) and not _NO_NAME.search(name)
