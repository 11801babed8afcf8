"""Stop words by language: articles, pronouns, prepositions, conjunctions, auxiliaries; the logic is in words.py."""

# Written without spaces between words, or with endings on them: found anywhere in a text.
ANYWHERE = {
    "zh": """
        的 了 是 在 和 与 與 也 就 都 而 及 或 但 被 把 让 讓 给 給 从 從 对 對 向 于 於 以 为 為 之 其 此 该 該
        这 這 那 哪 谁 誰 我 你 他 她 它 您 们 們 着 著 过 過 吗 嗎 呢 吧 啊 呀 么 麼 很 更 最 还 還 又 再 才 只
        不 没 沒 无 無 非 会 會 能 可 要 想 将 將 已 曾 正 如 若 因 所 则 則 却 卻 虽 雖 且 并 並 由 自 至 到 比
        跟 同 当 當 等 每 各 某 另 几 幾 些 个 個 有 得 地 即 便 仍 未 称 說 说
    """,
    "ja": """
        の は が を に へ で と も や か ね よ から まで より など こと もの ため これ それ あれ この その あの
        ここ そこ です ます でした ました ません だ った いる ある する した して される された できる という
        として について による により における また および しかし そして ので のに けど ない
    """,
    "ko": """
        은 는 을 를 에 의 와 과 도 로 가 에서 에게 으로 부터 까지 보다 처럼 하고 이다 있다 없다 한다 했다 된다
        됐다 였다 하는 되는 있는 없는 위해 대한 통해 따라 그리고 그러나 하지만 또한 이번 그는 그녀 우리 저는
        나는 습니다 합니다 입니다 니다 어요 아요 에요
    """,
}

# Found as whole words.
WORDS = {
    "en": """
        a an the and or but nor if then than that this these those there here i you he she it we they me him her
        us them my your his its our their who whom whose which what when where why how is are was were be been
        being am do does did have has had having will would shall should can could may might must not of in on
        at by for from to with without about into onto over under after before between through during against
        among across because while although though until since as so too also such some any each every all both
        few more most other only own same very just it's don't doesn't didn't isn't aren't wasn't won't can't
        i'm you're we're they're i've we've he's she's that's there's it’s don’t doesn’t didn’t isn’t aren’t
        wasn’t won’t can’t i’m you’re we’re they’re i’ve we’ve he’s she’s that’s there’s
    """,
    "de": """
        der die das den dem des ein eine einen einem einer eines und oder aber denn sondern wenn weil dass daß
        ob als wie wo wer was ich du er sie es wir ihr mich dich sich uns euch mir dir ihm ihn ihnen mein dein
        sein seine seinen seiner ihre ihren ihrer unser ist sind war waren bin bist wird werden wurde wurden
        worden hat haben hatte hatten kann können konnte muss müssen soll sollen sollte will wollen nicht kein
        keine keinen auch nur noch schon sehr mehr so zu zum zur in im an am auf aus bei beim mit nach von vom
        vor über unter für durch gegen ohne um bis seit während wegen zwischen diese dieser dieses diesen jede
        jeder man doch hier dort dann da
    """,
    "fr": """
        le la les un une des du de et ou mais donc car ni que qui quoi dont où je tu il elle on nous vous ils
        elles me te se lui leur leurs y en ce cet cette ces mon ma mes ton ta tes son sa ses notre nos votre vos
        est sont était étaient être été suis sommes êtes ai as a avons avez ont avait avaient avoir sera seront
        serait fait faire peut peuvent pas ne plus moins très aussi bien comme si dans sur sous avec sans pour
        par chez entre vers depuis pendant avant après contre au aux tout tous toute toutes même
    """,
    "es": """
        el la los las un una unos unas y e o u pero sino porque que quien quienes cual cuyo donde cuando como yo
        tú él ella ello nosotros ustedes ellos ellas me te se nos le les lo mi mis tu tus su sus este esta esto
        estos estas ese esa eso esos esas aquel es son era eran ser sido fue fueron está están estaba estar he
        ha han había haber hay tiene tienen puede pueden no ni ya más menos muy también si de del al a en con
        sin por para sobre entre hasta desde contra durante según tras todo toda todos todas
    """,
    "it": """
        il lo la i gli le un uno una e ed o ma se che chi cui dove quando come perché io tu lui lei noi voi loro
        mi ti si ci vi ne questo questa questi queste quello quella quelli quelle mio tuo suo sua suoi sue
        nostro vostro è sono era erano essere stato stata stati ho ha hanno aveva avevano avere può possono non
        più anche ancora già molto di del dello della dei degli delle a al allo alla ai agli alle da dal dalla
        dai in nel nella nei nelle con su sul sulla sui per tra fra dopo prima contro tutto tutti
    """,
    "pt": """
        o a os as um uma uns umas e ou mas porque que quem qual onde quando como eu tu ele ela nós vós eles elas
        me te se lhe lhes nos meu minha seu sua seus suas este esta isto esse essa isso aquele aquela é são era
        eram ser sido foi foram está estão estava estar tem têm tinha ter há pode podem não nem já mais menos
        muito também de do da dos das em no na nas ao aos à às com sem por pelo pela pelos pelas para sobre
        entre até desde contra durante após todo toda todos todas
    """,
    "nl": """
        de het een en of maar want dus als dat die dit deze wie wat waar wanneer hoe waarom ik jij je u hij zij
        ze wij we jullie mij me hem haar hen hun ons mijn jouw zijn onze is was waren ben bent wordt worden werd
        werden heeft hebben had hadden kan kunnen kon moet moeten zal zullen zou zouden wil willen niet geen ook
        nog al zeer meer zo te ter ten in op aan bij met naar van voor over onder door tegen zonder om tot sinds
        tijdens tussen uit er hier daar dan toen
    """,
    "sv": """
        en ett den det de och eller men att som om när där hur vad vem jag du han hon vi ni mig dig honom henne
        oss er dem min din sin sitt sina vår deras är var vara varit blir blev har hade ha kan kunde ska skulle
        vill måste inte ingen också bara mycket mer än så till i på av med från för vid under över efter före
        mellan mot utan genom sedan denna detta dessa alla här
    """,
    "da": """
        en et den det de og eller men at som om når hvor hvad hvem jeg du han hun vi mig dig ham hende os dem
        min din sin sit sine vores deres er var være været bliver blev har havde have kan kunne skal skulle vil
        ville må ikke ingen også kun meget mere end så til i på af med fra for ved under over efter før mellem
        mod uden gennem siden denne dette disse alle her der
    """,
    "no": """
        en et ei den det de og eller men at som om når hvor hva hvem jeg du han hun vi dere meg deg ham henne
        oss dem min din sin sitt sine vår deres er var være vært blir ble har hadde ha kan kunne skal skulle vil
        ville må ikke ingen også bare mye mer enn så til i på av med fra for ved under over etter før mellom mot
        uten gjennom siden denne dette disse alle her der
    """,
    "fi": """
        ja tai mutta että jos kun kuin niin koska vaikka joka jotka jonka mitä mikä kuka minä sinä hän me te he
        se ne tämä nämä tuo on ovat oli olivat olla ollut ole ei eivät en emme myös vain vielä jo hyvin enemmän
        kanssa ilman sekä mukaan jälkeen ennen sen hänen heidän
    """,
    "pl": """
        i oraz lub albo ale a że żeby aby jeśli gdy kiedy gdzie jak co kto który która które których którzy ja
        ty on ona ono my wy oni one mnie mi cię go mu jej jego ich im nas nam was się sobie ten ta to te tym tej
        tego tych jest są był była było były być będzie będą został została może mogą nie tak też również już
        jeszcze tylko bardzo w we z ze na do od po za przez przy dla o u pod nad przed między bez ku wszystkie
    """,
    "cs": """
        a i nebo ale že aby když pokud kde jak co kdo který která které kteří já ty on ona ono my vy oni mě mi
        ho mu jí jeho její jich jim nás se si ten ta to tato tento tím toho je jsou byl byla bylo byli být bude
        budou jsem jsme může mohou ne není také už ještě jen velmi v ve z ze na do od po za při pro o u pod nad
        před mezi bez podle
    """,
    "hu": """
        a az egy és vagy de hogy ha mert mint aki ami amely amikor ahol én te ő mi ti ők ez azt ezt van volt
        vannak lesz lett nem is már még csak nagyon el meg ki be fel le után előtt között szerint által
    """,
    "ro": """
        un o unei unui și sau dar că să dacă când unde cum ce cine care eu tu el ea noi voi ei ele mă te se îl
        îi lui lor acest această aceste este sunt era erau fi fost a au am avea va vor poate nu mai foarte de
        din la pe cu fără în prin pentru despre între până după contra al ale cel cea
    """,
    "tr": """
        ve veya ya da de ama fakat ki eğer çünkü ile için gibi kadar daha çok en bir bu şu o ben sen biz siz
        onlar bana sana ona bize onun benim var yok değil mi mı olan olarak olduğu oldu olduğunu ise her sonra
        önce göre karşı tarafından ancak üzere
    """,
    "id": """
        dan atau tetapi tapi yang jika kalau karena bahwa untuk dengan tanpa dari ke di pada dalam oleh saya
        kamu anda dia ia kami kita mereka ini itu adalah akan telah sudah belum tidak bukan juga hanya sangat
        lebih seperti saat setelah sebelum antara para
    """,
    "vi": """
        và hoặc nhưng nếu vì thì mà là của cho với từ đến trong ngoài trên dưới tại ở về bởi tôi bạn anh ông bà
        họ chúng này đó kia những các một được bị đã đang sẽ không chưa cũng rất hơn khi sau trước giữa
    """,
    "ru": """
        и а но или что чтобы если когда где как кто который которая которые которого которых я ты он она оно мы
        вы они меня мне тебя его ему её ее им их нас нам вас вам себя этот эта это эти того тот той тех был была
        было были быть есть будет будут может могут не ни так же также уже еще ещё только очень в во с со на до
        от по за из к ко у о об при для без под над перед между через после все всех бы ли
    """,
    "uk": """
        і й та а але або що щоб якщо коли де як хто який яка які яких я ти він вона воно ми ви вони мене мені
        його йому її їх нас нам вас себе цей ця це ці того той тих був була було були бути є буде будуть може не
        ні так також вже ще тільки дуже в у з із зі на до від по за про при для без під над перед між через
        після всі
    """,
    "bg": """
        и а но или че да ако когато къде как кой която който които аз ти той тя то ние вие те ме го му я им си
        се този тази това тези е са беше бяха бъде ще може не няма също вече още само много в във с със на до от
        по за из при без под над пред между през след
    """,
    "el": """
        ο η το οι τα του της των τον την τους τις ένας μία μια ένα και ή αλλά ότι πως που αν όταν όπου όπως
        ποιος εγώ εσύ αυτός αυτή αυτό εμείς εσείς αυτοί μου σου μας σας είναι ήταν έχει έχουν είχε να θα δεν μην
        δε επίσης μόνο πολύ πιο σε στο στη στην στον στους στις στα από με χωρίς για προς μετά πριν κατά μεταξύ
        ως μέχρι
    """,
    "ar": """
        في من إلى الى على عن مع هذا هذه ذلك تلك التي الذي الذين هو هي هم نحن أنا أنت كان كانت يكون قد لقد لم لن
        لا ما أن إن ان أو او ثم بل لكن حتى كل بعد قبل بين عند منذ خلال حول ضد غير أي كما وقد وكان وفي ومن
    """,
    "fa": """
        و در از به که را با برای این آن است بود شد شده می تا بر یا هم نیز اما اگر هر من تو او ما شما آنها خود یک
        پس پیش بین باید
    """,
    "he": """
        של את על עם אל מן כי אם או אבל גם רק לא אין יש זה זו זאת הוא היא הם הן אני אתה אנחנו היה היתה היו יהיה
        כל בין אחרי לפני עד כמו אשר מה מי
    """,
    "hi": """
        का के की को में से पर और या लेकिन कि यह वह ये वे है हैं था थी थे हो होगा ने भी ही नहीं तो जो एक इस उस इन उन अपने लिए
        साथ बाद तक कर
    """,
}
