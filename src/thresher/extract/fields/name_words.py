"""Words that tell names from what is none; each list is one string of words."""

_NOBODY = """
    admin administrator unknown none null undefined n/a author authors editor webmaster root user guest default
    false true name publisher by von vom par por di de and und on at in uhr noauthor
    佚名 未知 管理员 匿名 小编 不详 网络 原创 转载 网络整理 佚名者 本站 本网 互联网 综合
    发布时间 注册 登录 关注 作者 编辑 责任编辑 来源 记者 全文 完 待续 关闭窗口 打印 收藏 评论 分享
    昨天 今天 昨日 今日 日前 近日 本报讯
    全部 易信 辛迪加 高清 高层 高校 马上 方面 任何 何时 应该 文章 时间 手记 原文 文摘 本报 本刊 通讯员 综合报道
"""
_ROLES = """
    writer reporter editor correspondent columnist contributor staff expert analyst director manager producer officer
    press news times journal post herald tribune gazette telegram daily media magazine network university institute
    reuters bloomberg agency service agencies today guest contributing senior chief professor attorney founder ceo
    president head freelance opinion sponsored team redaktion editorial reporting photographer company inc llc ltd
    foundation association center centre school college group society weekly review radio television tv web online
    the a an my our your this that these with all more about read share save print email updated published minutes
    min comments follow subscribe related home menu search advertisement photo photos image credit courtesy
    rss feed top month date video audio loading fact checked fact-checked released image: use case industry artikel von
    monday tuesday wednesday thursday friday saturday sunday informationen pressemitteilung super gmbh ag verlag
    wiki blog shop
    ich bin alle beiträge member members login recent posts latest popular categories archives tags
    zur zum über about skip navigation example data page beitrag kommentar kommentare weitere seite
"""
_PARTICLES = """
    de da do dos das del della di du la le van von der den ter ten bin ibn al el y zu af av e
"""

# Given as an author where there is none; the last by pages whose makers left their template as it was.
NOBODY = frozenset((*_NOBODY.split(), "no author", "discuz! team and comsenz ui team"))
ROLES = frozenset(_ROLES.split())  # of an office, an organisation or a page, not of a person
PARTICLES = frozenset(_PARTICLES.split())  # written small inside a name

# The surnames of nearly all Chinese people, in both scripts.
SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔"
    "谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文樊葛牛"
    "殷齐尤柳柴辛管祝梅盛童古项鲁翟关安倪左凌纪欧申耿庞符柯骆章阎焦窦甘裴霍司岳路聂詹俞曲季靳宁单施阮成池洪翁舒祁"
    "闵蓝仇党艾宫包娄房屈解车植练莘隋桑瞿冉容敬华查丛卞鲍游褚屠蒲伍岑苗鄢冀费匡郎卓尚楚桂闻佟全应滕栾占宗麻米薄"
    "傅颜庄邢穆萧戚饶甄毕厉涂敖巩晏茅郁邬巫刁揭杭牟苟谌佘尧郄郏訾漆仝逄亓邸冼郜郗蔺芦闾迟逯阚臧柏喻湛裘缪嵇荀芮隗"
    "仲栾戎邰鄂胥姬郦璩濮扈浦茹宦庾暨寇阙晁竺桓褟鞠皮楼禹狄谷沙吉兰宿"
    "張劉陳楊黃趙吳孫馬羅鄭謝許鄧韓馮蔣葉蘇呂盧鍾譚陸範賈鄒閻龍賀顧龔萬錢嚴湯喬賴齊紀龐駱單寧蘭黨顏莊蕭饒畢厲塗鞏鄔樓"
)
# Those that begin common words, too: only with two characters after them do they tell a name.
SURNAMES_OF_WORDS = frozenset("温简连景席冷荣乐封农卫习边巴权燕班祖索劳融储宣诸惠幸贡怀谈麦雍束初强溫簡連榮衛儲")
_COMPOUND = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 端木 歐陽 司馬"
COMPOUND_SURNAMES = tuple(_COMPOUND.split())
