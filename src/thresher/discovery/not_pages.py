"""File names that are no pages: data, and the one question asked of it."""

_IMAGES = "jpg jpeg jpe jfif png gif webp avif svg svgz bmp tif tiff ico heic heif psd ai eps raw "
_PARTS_OF_PAGES = "css js mjs map json jsonld wasm woff woff2 ttf otf eot swf "
_SOUND = "mp3 m4a aac ogg oga opus wav flac wma mid midi m3u m3u8 pls "
_FILMS = "mp4 m4v mov avi wmv flv f4v mkv webm mpg mpeg 3gp ts rm rmvb "
_ARCHIVES = "zip gz tgz bz2 xz zst 7z rar tar jar war iso dmg pkg deb rpm apk ipa msi exe bin dll cab torrent "
_PAPERS = (
    "pdf ps doc docx docm dot dotx xls xlsx xlsm csv tsv ppt pptx pps ppsx odt ods odp rtf epub mobi azw3 djvu chm "
)
_DATA = "ics vcf gpx kml kmz sql db sqlite bak log"
NOT_PAGES = frozenset((_IMAGES + _PARTS_OF_PAGES + _SOUND + _FILMS + _ARCHIVES + _PAPERS + _DATA).split())
# What a feed (JSON Feed) and a sitemap (compressed) may be called all the same.
LISTS = frozenset({"json", "gz"})


def is_page(url: str, why: str = "page") -> bool:
    """Say whether a canonical URL may be a page (or the feed or sitemap it is called), by its path's extension."""
    _, dot, extension = url.partition("?")[0].rpartition("/")[2].lower().rpartition(".")
    if not dot or extension not in NOT_PAGES:
        return True
    return why in ("feed", "subfeed", "comments", "sitemap") and extension in LISTS
