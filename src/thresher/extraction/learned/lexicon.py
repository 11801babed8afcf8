"""Words that tell what a short block is: byline, share bar, teaser, credit, notice; in the languages we know."""

from thresher.extraction.stopwords import ANYWHERE
from thresher.extraction.words import STOP_WORDS

_WORDS = {
    "byline": """by von par por written reporter correspondent author editor posted published updated staff writer
        автор редактор redakcja autor redaktion συντάκτης από по reporting edited contributed""",
    "share": """share tweet facebook twitter whatsapp email e-mail print follow subscribe newsletter sign join login
        register linkedin pinterest reddit instagram youtube telegram rss app download teilen partager compartir
        udostępnij поделиться подписаться digg delicious stumbleupon like google+ bookmark""",
    "related": """related more read also recommended popular trending latest previous next story stories articles
        topics see mehr lesen auch lire aussi leer también czytaj także ещё читайте также περισσότερα σχετικά
        headlines news most viewed""",
    "comment": """comment comments reply replies respond discussion kommentar kommentare commentaire commentaires
        comentarios komentarze komentarz комментарии комментарий σχόλια σχόλιο log post abuse""",
    "date": """january february march april may june july august september october november december jan feb mar apr jun
        jul aug sep sept oct nov dec monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat
        sun am pm a.m. p.m. ago hours hour minutes gmt est edt utc pst et januar februar märz mai juni juli oktober
        dezember janvier février mars avril juin juillet août septembre octobre novembre décembre enero febrero marzo
        abril mayo junio julio agosto septiembre octubre noviembre diciembre stycznia lutego marca kwietnia maja
        czerwca lipca sierpnia września października listopada grudnia января февраля марта апреля мая июня июля
        августа сентября октября ноября декабря ιανουαρίου φεβρουαρίου μαρτίου απριλίου μαΐου ιουνίου ιουλίου
        αυγούστου σεπτεμβρίου οκτωβρίου νοεμβρίου δεκεμβρίου last updated""",
    "credit": """photo photos photograph photographer image images picture credit courtesy getty reuters ap afp file
        caption video watch illustration foto fotos bild photo: credit: dpa shutterstock epa via fot фото φωτογραφία""",
    "legal": """copyright © (c) rights reserved terms privacy policy cookies cookie disclaimer inc. ltd llc
        impressum datenschutz conditions trademark""",
    "advert": """advertisement advertising sponsored promoted ad ads anzeige publicidad publicité werbung reklama
        реклама διαφήμιση advertise continue""",
    "nav": """home menu search contact about back top skip help page click here view all show hide close open faq
        site jobs feedback start suche zurück""",
}
_CJK_PARTS = {
    "byline": "记者 作者 编辑 責任編輯 责任编辑 责编 来源 來源 撰文 撰稿 通讯员 기자 記者 文字",
    "share": "分享 微信 微博 关注 收藏 订阅 客户端 扫码 二维码 下载 打印 シェア ツイート 공유 字号",
    "related": "相关 相關 推荐 更多 阅读 閱讀 上一篇 下一篇 热门 热点 延伸 関連 おすすめ ランキング 관련 专题 排行",
    "comment": "评论 評論 回复 留言 跟帖 网友 コメント 댓글 发表",
    "credit": "图为 图片 摄 供图 资料图 写真 撮影 제공 사진 视频",
    "legal": "版权 版權 转载 声明 著作権 禁止 無断 备案 저작권 京ICP ICP",
    "advert": "广告 廣告 広告 광고 PR",
    "nav": "首页 返回 导航 登录 注册 登錄 联系我们 ホーム 搜索 网站地图",
}
SENSES = ("stop", *_WORDS)
_BIT = {name: 1 << place for place, name in enumerate(SENSES)}


def _lexicon() -> dict[str, int]:
    senses: dict[str, int] = {}
    for words in STOP_WORDS.values():
        for word in words:
            senses[word] = _BIT["stop"]
    for name, text in _WORDS.items():
        for word in text.split():
            senses[word] = senses.get(word, 0) | _BIT[name]
    return senses


SENSE_OF = _lexicon()
CJK_PARTS = tuple((part, _BIT[name]) for name, text in _CJK_PARTS.items() for part in text.split())
CJK_STOPS = frozenset(word for words in ANYWHERE.values() for word in words.split() if len(word) == 1)
BYLINE = _BIT["byline"]
DATE = _BIT["date"]
COMMENT = _BIT["comment"]
RELATED = _BIT["related"]
