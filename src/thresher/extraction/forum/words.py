"""Words that forums say around their posts, and that their markup is named with; hints, never conditions."""

import re

# Before a date that is not that of a post: when somebody joined, was last seen or last active.
JOINED = re.compile(
    r"join|regist|member since|since\b|注册|註冊|最后登录|加入|登録日|가입|beigetreten|mitglied seit|dabei seit|inscri"
    r"|membre depuis|desde|iscritto|lid (?:geworden|sinds)|dołączy|rejestr|зарегистр|регистрац|birth|born|from:"
    r"|last (?:visit|seen|activ|online|login|post)|最后(?:发表|回复)|started|liittynyt|medlem|katıl|kayıt",
    re.IGNORECASE,
)
# Before or after a date when a post was changed.
EDITED = re.compile(
    r"edit|modif|updated|changed|编辑|編輯|修改|更新|bearbeitet|geändert|gewijzigd|édit|изменен|редакт|исправлен|redig"
    r"|muokattu|edyto|düzenle|upraven",
    re.IGNORECASE,
)
# Lines that tell of a change, from their start.
EDIT_LINE = re.compile(
    r"^\W*(?:(?:this (?:post|message) (?:was|has been) )?(?:last )?(?:edited|modified|updated)\b.{0,60}"
    r"\b(?:by|on|at|:)|edit(?:ed)? ?(?:\d|by\b)|(?:本帖|此帖|本文|该帖)?最[后後]由|本主题由|编辑于"
    r"|zuletzt (?:geändert|bearbeitet)"
    r"|bearbeitet (?:von|am)|dernière (?:édition|modification)|modifié (?:par|en dernier)|editado por|última edición"
    r"|ultima modifica|laatst (?:aangepast|bewerkt)|последний раз редактировалось|отредактировано|изменено"
    r"|viimeksi muoka|ostatnio (?:zmieniony|edytowan)|senast (?:redigerad|ändrad))",
    re.IGNORECASE,
)
# What forums write above code.
CODE_LINE = re.compile(
    r"^(?:(?:php |html )?code|代码|代碼|quelltext|código|код)\s?[:：]?\s?\[?(?:select(?: all)?|copy|复制代码"
    r"|alles auswählen|tout sélectionner|seleccionar todo|выделить всё)?\]?$|^复制代码$",
    re.IGNORECASE,
)
CODE_STARTS = frozenset("pPhHcCqQкК代复")  # of these lines
# Starts of a quotation that has no element of its own name.
QUOTE_LINE = re.compile(
    r"^\W*(?:quote(?: from)?\s?:|quoting|originally (?:posted|written) by|引用(?:[:：]|\s|$)|回复 ?#?\d+|原帖由"
    r"|zitat(?: von)?\b|citation\b|citaat|cita\b|citado|цитата|lainaus\b|cytat\b"
    r"|.{1,40}\b(?:wrote|writes|said|schrieb|schreef|a écrit|escribió|escreveu|ha scritto|написал\w*|kirjoitti"
    r"|skrev|pisze)"
    r"\s?[:：]|.{1,30}(?:写道|寫道|说道?)\s?[:：]|.{1,30}(?:发表于|發表於)\s?\d)",
    re.IGNORECASE,
)

# In a line that tells the zone of all times of a page.
TIMES = re.compile(
    r"\ball times\b|\btimes are\b|time ?zone|zeitzone|\bzeiten\b|toutes les heures|heures au format|fuseau|zona horaria"
    r"|todos los horarios|todas as horas|fuso|tutti gli orari|orari sono|tijdzone|alle tijden|strefa czas"
    r"|czas\w* strefy|часово\w+ пояс|время указано|часовий пояс|saat dilimi|tidszon|tidssone|aikavyöhyke|időzóna"
    r"|časov\w+ pásm|时区|時區|時間帯|タイムゾーン|시간대|(?:所有|全部|论坛|本站)的?时间|(?:所有|全部)的?時間",
    re.IGNORECASE,
)
# Behind such a zone where an hour is added to it.
SUMMER_TIME = re.compile(
    r"[^\[]{0,12}\[\s?(?:DST|summer|sommer|heure d.été|horario de verano|ora legale|zomertijd|夏|летнее)", re.IGNORECASE
)

# Lines of a user card.
CARD_LINE = re.compile(
    r"^(?:posts?|messages?|threads?|join(?:ed|ed on| date)?|registered|member since|location|from|reputation|likes?"
    r"|karma|rank|status|offline|online|gender|age|thanks|trophy points|reaction score|beiträge|registriert|ort|wohnort"
    r"|mitglied seit|inscription|localisation|localización|mensajes|registrado|messaggi|iscritto|berichten|сообщени\w*"
    r"|регистрация|откуда|帖子|主题|精华|积分|威望|金币|注册时间|最后登录|在线时间|来自|等级|发帖|性别)\s?(?:[:：].{0,60}|\d[\d,.]*)?$",
    re.IGNORECASE,
)
# In the names of classes, ids and item properties.
QUOTES = re.compile(r"(?:^|[\s_-]|block|bb|code|forum|post|cite)(?:quote(?!r)[a-z]*|zitat|citation)(?:$|[\s_-])")
SIGNATURE = re.compile(r"(?:^|[\s_-]|post|user|msg|message|member)(?:sig|sign|signature|signatur|sigs)(?:$|[\s_-]|\d)")
USER_CARD = re.compile(
    r"author|user|profile|poster|avatar|member|usercard|postleft|\bpls\b|postbit-?(?:left|user)|creator|rank|reputation|karma"
)
CHROME = re.compile(
    r"button|toolbar|\bmenu|action|footer|\bfoot|share|social|rating|\bvote|like|reaction|report|tags?\b|badge|attachment"
    r"|lastedit|last-edit|edited|editnote|postedit|notice|moderat|breadcrumb|pagination|pager|popup|dropdown|tooltip|\btip"
    r"|sr-only|u-srOnly|visually-hidden|hidden|controls|attribution|\bmeta\b|message-header|\bad(?:s|vert|unit|box)?\b"
)
TEXT = re.compile(r"content|body|text|wrapper|main|inner|\bt_f|entry|prose|markdown")
BODY = re.compile(
    r"content|message|msg|body|text|\bt_f|bbwrapper|entry|postcolor|prose|ugc|comment|richtext|markdown|post|reply"
)
AUTHOR = re.compile(r"author|user|nick|poster|creator|name|owner|writer|member|by\b|commenter|handle|fn\b|louzhu")
PROFILE = re.compile(
    r"user|member|profile|/u/|/u\?|[?&;](?:uid|u|userid|mid)=|space|people|author|mod=space|/@|home/main|account|/id/"
)
POST = re.compile(r"post|comment|message|reply|answer|msg|\bfloor|thread|topic|discussion|response")
NO_NAME = re.compile(
    r"^(?:quote|reply|report|share|edit|delete|permalink|link|top|up|pm|email|e-mail|www|website|profile|send|message"
    r"|post|like|thanks?|offline|online|guest user|member|junior member|senior member|moderator|administrator|admin"
    r"|author|op|new member|\W*|只看该作者|引用|回复|举报|楼主|收藏|分享|top|顶端|发消息|加好友"
    r"|电梯直达"
    r"|返回顶部|quick reply|multi-?quote)$",
    re.IGNORECASE,
)
# In links that do something with a post or its author, and do not lead to the post: whole words of a path or a query.
ACTION = re.compile(
    r"^(?!https?:)[a-z][a-z0-9+.-]{1,20}:|.https?(?::|%3a)//?"  # another scheme; an address inside of one, to be shared
    r"|(?:^|[/?&;=]|action-)(?:"
    r"pm|\w*pm|privmsg|private|pms|(?:new|send|show)_?(?:message|msg)|messenger|conversations|compose|e?mail|sendmail"
    r"|report\w*|mod_?alert|alert|(?:add)?flag|warn\w*|abuse|complain"
    r"|\w*quote|quoting|quoted|\w*reply|reply_?to|respond|posting|new(?:post|comment|answer)"
    r"|edit\w*|modify\w*|delete\w*|remove\w*|approve|moderate|move|split|merge|promote"
    r"|(?:view)?profile|members?|memberlist|users?|spacecp|space|account|(?:to|author|user|member|poster)_?id|getinfo"
    r"|(?:find|poster|post)?(?:user|history)|karma|reputation|trophies|badges|banlist|itrader|magic"
    r"|react\w*|un?likes?|thank\w*|rate|\w*ratings?|\w*votes?|kudos|bookmarks?|saves?|favou?rites?|follow"
    r"|subscri\w+|(?:un)?watch|ignore|poke|friends?|buddy\w*|addlist"
    r"|shar(?:e|er|ing)|tweet|intent|print\w*|timeline|revisions?|log|ip|ips|iplookup|login|log-?in|register|sign-?in"
    r"|setseen|attachments?|download|search"
    r")(?:\.(?:php|html?|aspx?|cgi|jsp|pl|cfm|do))?(?=$|[/?&;=#]|-\w+-)",
    re.IGNORECASE,
)
