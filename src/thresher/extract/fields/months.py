"""Names of the months in the languages we read, whole and shortened."""

_NAMES = (
    "january jan januar jänner januari janvier janv enero ene gennaio gen janeiro tammikuuta stycznia sty ledna január "
    "ianuarie ocak января янв січня януари ιανουαρίου ιαν يناير जनवरी",
    "february feb februar feber februari février févr fév febrero febbraio fevereiro fev helmikuuta lutego lut února "
    "február februarie şubat февраля фев лютого февруари φεβρουαρίου φεβ فبراير फरवरी",
    "march mar märz mär mrz mars marzo março maart mrt maaliskuuta marca března március martie mart maret марта "
    "мар березня март μαρτίου μαρ مارس मार्च",
    "april apr avril avr abril abr aprile huhtikuuta kwietnia kwi dubna április aprilie nisan апреля апр квітня април "
    "απριλίου απρ أبريل अप्रैल",
    "may mai mayo maggio mag maio mei maj toukokuuta maja května május mayıs мая май травня μαΐου μαϊου μάι مايو मई",
    "june jun juni juin junio giugno giu junho kesäkuuta czerwca cze června június iunie haziran июня июн червня юни "
    "ιουνίου ιουν يونيو जून",
    "july jul juli juillet juil julio luglio lug julho heinäkuuta lipca lip července július iulie temmuz июля июл "
    "липня юли ιουλίου ιουλ يوليو जुलाई",
    "august aug août agosto ago augustus augusti elokuuta sierpnia sie srpna augusztus ağustos agustus августа авг "
    "серпня август αυγούστου αυγ أغسطس अगस्त",
    "september sept sep septembre septiembre setiembre set settembre setembro syyskuuta września wrz září szeptember "
    "septembrie eylül сентября сен вересня септември σεπτεμβρίου σεπ سبتمبر सितंबर",
    "october oct oktober okt octobre octubre ottobre ott outubro out lokakuuta października paź října október "
    "octombrie ekim октября окт жовтня октомври οκτωβρίου οκτ أكتوبر अक्टूबर",
    "november nov novembre noviembre novembro marraskuuta listopada lis listopadu noiembrie kasım ноября ноя листопада "
    "ноември νοεμβρίου νοε نوفمبر नवंबर",
    "december dec dezember dez décembre déc diciembre dic dicembre dezembro joulukuuta grudnia gru prosince decembrie "
    "desember des aralık декабря дек грудня декември δεκεμβρίου δεκ ديسمبر दिसंबर",
)

MONTHS = {name: number for number, names in enumerate(_NAMES, start=1) for name in names.split()}
