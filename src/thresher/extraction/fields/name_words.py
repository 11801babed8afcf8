"""Words that tell names from what is none; each list is one string of words."""

_NOBODY = """
    admin administrator unknown none null undefined n/a author authors editor webmaster root user guest default
    false true name publisher by von vom par por di de and und on at in uhr noauthor
    monday tuesday wednesday thursday friday saturday sunday montag dienstag mittwoch donnerstag freitag samstag sonntag
    lundi mardi mercredi jeudi vendredi samedi dimanche lunes martes miércoles jueves viernes sábado domingo
    posted published updated publiziert veröffentlicht geschrieben aktualisiert publié publicado pubblicato
    shutterstock getty gettyimages istock istockphoto unsplash wordpressadmin siteadmin webadmin superadmin
    佚名 未知 管理员 匿名 小编 不详 网络 原创 转载 网络整理 佚名者 本站 本网 互联网 综合
    发布时间 注册 登录 关注 作者 编辑 责任编辑 来源 记者 全文 完 待续 关闭窗口 打印 收藏 评论 分享
    楼主 樓主 博主 版主 层主 网友 網友 游客 会员 會員 用户 人物 账号 本人 原文 正文 专题 视频 图集 首页 新闻 评论员
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
    suche menü recherche buscar szukaj поиск
    zur zum über about skip navigation example data page beitrag kommentar kommentare weitere seite
"""
# Of sections and subjects; what stands beside a date and looks like a name is mostly made of these.
_TOPICS = """
    travel tips planning strategy marketing wedding lifestyle life fashion beauty health fitness food recipe recipes
    cooking kitchen garden decor design diy crafts culture entertainment celebrity movies movie film music games gaming
    sports football soccer basketball business finance investing economy politics policy government legal science
    technology tech software hardware programming development security privacy cloud mobile apps app product products
    productivity education learning teaching parenting family kids relationships dating mental wellness nutrition
    environment climate energy sustainability animals pets outdoor outdoors adventure photography camera cars automotive
    estate property housing interior ideas inspiration advice guide guides tutorial tutorials resources insights trends
    research study report reports reviews studies events event community careers leadership management seo content
    social digital ecommerce startup startups innovation local national international global regional breaking featured
    exclusive analysis commentary feature features essay fiction poetry books history religion faith spirituality
    general uncategorized miscellaneous updates announcement announcements release releases
    text size comment move list checklist tools
    ratgeber reise reisen gesundheit wirtschaft politik kultur panorama leben wissen technik karriere finanzen recht
    immobilien lokales nachrichten meldung allgemein startseite nach
    noticias cultura deportes economía política sociedad opinión actualité actualités société économie
    son güncelleme haber haberler ajansı
"""
# Of shops, places and headings; some are surnames, too, so that a given name before them tells.
_THINGS = """
    price prices pricing guarantee warranty order orders special offer offers sale deal deals discount financing payment
    shipping delivery return returns cart checkout wishlist color colour size sizes length width height weight low high
    men men's women women's kids' girls boys unisex shirt jacket shoe shoes dress bag watch ring
    collection collections service services platform solution solutions overview introduction summary conclusion
    contents links link kernel analytics intelligence cybersecurity compliance automation integration implementation
    framework positive negative multiple dates day days week weeks year years hour hours season seasons
    commercial residential industrial corporate enterprise professional personal public private premium standard basic
    getting making building choosing understanding creating finding using installing configuring generating growing
    step steps part chapter section question questions answer answers faq faqs example examples
    training course courses class classes lesson lessons program programs workshop webinar podcast newsletter
    project projects portfolio gallery partner partners customer customers client clients employee employees
    city county state street road avenue park lake river mountain island islands beach north south east west northern
    southern eastern western central upper lower united states kingdom
    notebook toolkit template templates worksheet calculator generator finder tracker planner
    angebote angebot leistungen produkte kontakt impressum datenschutz unternehmen aktuelles veranstaltungen downloads
    accessories regions são
    zwei drei vier fünf jahre jahren tage tagen wochen monate uhr
"""
# Of sentences and menus, in several languages; no word of a name is one of these, but for particles.
_SMALL_WORDS = """
    you your yours us we our they their them it its he she i me my how why what when where which who whose whom
    before after while during check out off get got let make made take use using find learn try see view read show
    go going come start stop best top new old first last next previous latest more most less also only just than
    then too very all any both each every few many much no not none nor or if as of in on at for to from with
    without into onto over under between about above below up down again is are was were be been being do does did
    can could would should has have had must here there this that these those free create account sign log subscribe
    contact terms cookie cookies policy skip jump open close back other others same such own via per vs der die das
    den dem des ein eine einen einem einer und oder aber wenn weil für mit bei nach seit aus auf über unter zwischen
    gegen ohne durch um im am zum zur vom beim ins sie wir ihr ich es er mich dich uns euch kein keine mehr neue
    neuer neues neuen alle alles jetzt hier dort wie wer wo warum so sind ist war waren haben hat wird werden kann
    können auch noch nur schon sehr erfahren lesen unser unsere unseren ihre ihren ihrem seine les une aux sur pour
    avec sans dans par nos vos votre notre plus voir lire tous toutes los las una unos unas para con sin sobre más
    ver todos todas nuestro nuestra gli uno senza nel nella dei delle degli sono più tutti os uma não com sem mais
    na od po za nie jest oraz facebook twitter linkedin instagram pinterest youtube whatsapp reddit tiktok linked
"""
# How names of newspapers end that are written behind a reporter's.
_PAPERS = """
    argus advertiser advocate banner beacon bee bulletin chronicle citizen courier daily democrat dispatch enquirer
    examiner express gazette globe guardian herald independent inquirer journal leader ledger mail mirror news observer
    post press record register reporter republic republican review sentinel standard star statesman sun telegram
    telegraph times today tribune voice
"""
_PARTICLES = """
    de da do dos das del della di du la le van von der den ter ten bin ibn al el y zu af av e
"""

# Given as an author where there is none; the last by pages whose makers left their template as it was.
NOBODY = frozenset((*_NOBODY.split(), "no author", "fact checked", "getty images", "discuz! team and comsenz ui team"))
ROLES = frozenset((*_ROLES.split(), *_TOPICS.split()))  # of an office, an organisation or a page, not of a person
NO_NAMES = ROLES | frozenset(_SMALL_WORDS.split())  # no word of a person's name
THINGS = frozenset(_THINGS.split())  # no word of a person's name but after a given name
NO_LOGINS = (
    NO_NAMES | THINGS | frozenset(("tweet", "make", "model", "email", "permalink", "teilen", "drucken", "drukuj"))
)
PAPERS = frozenset(_PAPERS.split())
PARTICLES = frozenset(_PARTICLES.split())  # written small inside a name

# The surnames of nearly all Chinese people, in both scripts.
SURNAMES = frozenset(
    "王李张刘陈杨黄赵吴周徐孙马朱胡郭何林罗高郑梁谢宋唐许邓韩冯曹彭曾肖田董潘袁蔡蒋余于杜叶程魏苏吕丁任卢姚沈钟姜崔"
    "谭陆范汪廖石金韦贾夏付方邹熊白孟秦邱侯江尹薛闫段雷龙黎史陶贺毛郝顾龚邵万覃武钱戴严莫孔向常汤康易乔赖文樊葛牛"
    "殷齐尤柳柴辛管祝梅盛童古项鲁翟关安倪左凌纪欧申耿庞符柯骆章阎焦窦甘裴霍司岳路聂詹俞曲季靳宁单施阮成池洪翁舒祁"
    "闵蓝仇党艾宫包娄房屈解车植练莘隋桑瞿冉容敬华查丛卞鲍游褚屠蒲伍岑苗鄢冀费匡郎卓尚楚桂闻佟全应滕栾占宗麻米薄"
    "傅颜庄邢穆萧戚饶甄毕厉涂敖巩晏茅郁邬巫刁揭杭牟苟谌佘尧郄郏訾漆仝逄亓邸冼郜郗蔺芦闾迟逯阚臧柏喻湛裘缪嵇荀芮隗"
    "仲栾戎邰鄂胥姬郦璩濮扈浦茹宦庾暨寇阙晁竺桓褟鞠皮楼禹狄谷沙吉兰宿栗苑奚卜荆邝綦辜郇笪谯佴鄞昝仉宓仵"
    "張劉陳楊黃趙吳孫馬羅鄭謝許鄧韓馮蔣葉蘇呂盧鍾譚陸範賈鄒閻龍賀顧龔萬錢嚴湯喬賴齊紀龐駱單寧蘭黨顏莊蕭饒畢厲塗鞏鄔樓"
)
# Those that begin common words, too: only with two characters after them do they tell a name.
SURNAMES_OF_WORDS = frozenset("温简连景席冷荣乐封农卫习边巴权燕班祖索劳融储宣诸惠幸贡怀谈麦雍束初强溫簡連榮衛儲")
_COMPOUND = "欧阳 司马 上官 诸葛 东方 皇甫 尉迟 公孙 慕容 令狐 司徒 夏侯 端木 歐陽 司馬"
COMPOUND_SURNAMES = tuple(_COMPOUND.split())

_JAPANESE = """
    佐藤 鈴木 高橋 田中 伊藤 渡辺 渡邊 渡邉 渡部 山本 中村 小林 加藤 吉田 山田 佐々木 山口 松本 井上 木村 斎藤 斉藤
    齋藤 齊藤 清水 山崎 池田 橋本 阿部 安部 石川 山下 中島 中嶋 石井 小川 前田 岡田 長谷川 藤田 後藤 近藤 村上 遠藤
    青木 坂本 福田 太田 西村 藤井 金子 岡本 藤原 三浦 中野 中川 原田 松田 竹内 小野 田村 中山 和田 石田 森田 上田
    内田 柴田 酒井 宮崎 横山 高木 安藤 宮本 大野 小島 工藤 谷口 今井 高田 丸山 増田 杉山 村田 大塚 新井 小山 平野
    藤本 河野 上野 野口 武田 松井 千葉 菅原 岩崎 木下 久保 佐野 野村 松尾 市川 菊地 菊池 杉本 古川 大西 島田 水野
    桜井 高野 吉川 山内 西田 飯田 西川 小松 北村 安田 五十嵐 川口 平田 中田 久保田 服部 岩田 土屋 川崎 福島 本田
    樋口 秋山 田口 永井 山中 中西 吉村 川上 石原 大橋 松岡 馬場 浜田 森本 星野 矢野 浅野 大島 吉岡 小池 荒木 大久保
    野田 熊谷 松下 須藤 黒田 尾崎 片山 岡崎 関口 長田 関根 岡部 西山 松永 大田 栗原 松村 広瀬 小沢 小澤 早川 奥村
    内藤 白石 成田 平井 片岡 三宅 本間 津田 大川 岩本 榎本 川村 河合 宮田 大谷 大石 富田 堀内 北川 小田 小泉 望月
    永田 篠原 杉浦 沢田 澤田 西尾 三好 富永 石橋 関谷 荒井 飯塚 岸本 吉野 平山 古賀 児玉 根本 松浦 竹田 甲斐 秋元
    今村 杉田 藤川 森下 林田 川島 神田 徳永 相沢 若林 小西 塚本 水谷
"""
JAPANESE_SURNAMES = tuple(_JAPANESE.split())
KOREAN_SURNAMES = (
    "김이박최정강조윤장임한오서신권황안송류전홍고문양손배백허유남심노하곽성차주우구민진나지엄채원천방공현함변염여추도소"
    "석선설마길연위표명반왕금옥육맹제모탁국어은편용"
)
