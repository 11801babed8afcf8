"""Names of the months in the languages we read, whole and shortened, in the cases in which dates have them."""

_NAMES = (
    "january jan januar jänner jän januari janvier janv enero ene gennaio gen janeiro tammikuuta stycznia styczeń sty "
    "ledna leden január januára ianuarie ocak gener siječnja siječanj januara jaanuar janúar sausio janvāris "
    "janvāra januarie января янв січня січ януари јануар јануара студзеня ιανουαρίου ιανουάριος ιαν "
    "يناير جانفي ژانویه جنوری ינואר בינואר जनवरी জানুয়ারি มกราคม",
    "february feb februar feber februari février févr fév febrero febbraio fevereiro fev helmikuuta lutego "
    "luty lut února únor február februára februarie şubat febrer veljače veljača februara veebruar febrúar vasario "
    "februāris februāra февраля фев лютого лют февруари фебруар фебруара лютага φεβρουαρίου φεβρουάριος φεβ "
    "فبراير فيفري شباط فوریه فروری פברואר בפברואר फरवरी फ़रवरी ফেব্রুয়ারি กุมภาพันธ์",
    "march mar märz mär mrz mars marzo março maart mrt maaliskuuta marca marzec března březen március "
    "márc marec martie mart maret machi març ožujka ožujak marta märts kovo marts марта мар березня бер март "
    "сакавіка μαρτίου μάρτιος μαρ مارس آذار مارچ מרץ במרץ मार्च মার্চ มีนาคม",
    "april apr avril avr abril abr aprile huhtikuuta kwietnia kwiecień kwi dubna duben április ápr apríl apríla "
    "aprilie nisan aprili travnja travanj aprila aprill balandžio aprīlis aprīļa апреля апр квітня кві април априла "
    "красавіка απριλίου απρίλιος απρ أبريل ابريل أفريل نيسان آوریل اپریل אפריל באפריל अप्रैल এপ্রিল เมษายน",
    "may mai mayo maggio mag maio mei maj toukokuuta maja května květen május máj mája mayıs maig svibnja svibanj "
    "maí gegužės maijs maija мая май травня тра мај маја траўня μαΐου μαϊου μάιος μάι "
    "مايو ماي أيار مه مئی מאי במאי मई মে พฤษภาคม",
    "june jun juni juin junio giugno giu junho kesäkuuta czerwca czerwiec cze června červen június jún júna iunie "
    "haziran juny lipnja lipanj juna juuni júní birželio jūnijs jūnija июня июн червня чер юни јун јуна чэрвеня "
    "ιουνίου ιούνιος ιουν يونيو يونية جوان حزيران ژوئن جون יוני ביוני जून জুন มิถุนายน",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta lipca lipiec lip července červenec július júl júla "
    "iulie temmuz julai juliol srpnja srpanj jula juuli júlí liepos jūlijs jūlija июля июл липня юли јул јула ліпеня "
    "ιουλίου ιούλιος ιουλ يوليو يولية جويلية تموز ژوئیه جولائی יולי ביולי जुलाई জুলাই กรกฎาคม",
    "august aug août agosto ago augustus augusti elokuuta sierpnia sierpień sie srpna srpen augusztus auguszt augusta "
    "ağustos agustus agu agosti ogos agost kolovoza kolovoz avgust avgusta ágúst rugpjūčio augusts augusta августа авг "
    "серпня сер август жніўня αυγούστου αύγουστος αυγ أغسطس اغسطس أوت آب اوت اگست אוגוסט באוגוסט अगस्त আগস্ট สิงหาคม",
    "september sept sep septembre septiembre setiembre set settembre setembro syyskuuta września wrzesień wrz září "
    "szeptember szept septembra septembrie eylül septemba setembre rujna rujan septembar septembris rugsėjo сентября "
    "сен сент вересня вер септември септембар септембра верасня σεπτεμβρίου σεπτέμβριος σεπ σεπτ "
    "سبتمبر أيلول سپتامبر ستمبر ספטמבר בספטמבר सितंबर सितम्बर সেপ্টেম্বর กันยายน",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta października październik paź října "
    "říjen október októbra octombrie ekim oktoba oktobar oktobra oktoober spalio oktobris octobris "
    "октября окт жовтня жов октомври октобар октобра кастрычніка οκτωβρίου οκτώβριος οκτ "
    "أكتوبر اكتوبر اکتبر اکتوبر אוקטובר באוקטובר अक्टूबर অক্টোবর ตุลาคม",
    "november nov novembre noviembre novembro marraskuuta listopad lis listopadu listopada novembra noiembrie kasım "
    "novemba studenoga studeni novembar lapkričio novembris nóvember ноября ноя нояб "
    "листопада лис ноември новембар новембра лістапада "
    "νοεμβρίου νοέμβριος νοε نوفمبر نوامبر نومبر נובמבר בנובמבר नवंबर नवम्बर নভেম্বর พฤศจิกายน",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro joulukuuta grudnia grudzień gru prosince "
    "prosinec decembra decembrie desember des aralık disember desemba desembre prosinca prosinac decembar detsember "
    "gruodžio decembris декабря дек грудня гру декември децембар децембра снежня δεκεμβρίου δεκέμβριος δεκ "
    "ديسمبر دسامبر دسمبر דצמבר בדצמבר दिसंबर दिसम्बर ডিসেম্বর ธันวาคม",
)

MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
