"""Our own method and the published ones, one a file, by name."""

from thresher.errors import UsageError
from thresher.extraction.algorithms.cepr import extract_cepr, extract_cepr_etpr, extract_cepr_tpr
from thresher.extraction.algorithms.cetd import extract_cetd, extract_cetd_plain, extract_cetd_smooth
from thresher.extraction.algorithms.cetr import extract_cetr, extract_cetr_km, extract_cetr_tm
from thresher.extraction.algorithms.cevc import extract_cevc
from thresher.extraction.algorithms.dgwc import extract_dgwc_c45, extract_dgwc_nb, extract_dgwc_svm
from thresher.extraction.algorithms.far_sw import extract_far_sw, extract_far_sw_2
from thresher.extraction.algorithms.mibat import extract_mibat, extract_mibat_any_date
from thresher.extraction.algorithms.pean import extract_pean, extract_pean_any_date
from thresher.extraction.algorithms.text_density import extract_text_density
from thresher.extraction.algorithms.thresher import extract_thresher
from thresher.extraction.algorithms.thresher_any import extract_thresher_any
from thresher.extraction.algorithms.thresher_posts import extract_thresher_posts
from thresher.extraction.algorithms.wpmte import extract_wpmte
from thresher.extraction.contract import Algorithm

DEFAULT = "thresher"
ALGORITHMS: dict[str, Algorithm] = {
    "thresher": extract_thresher,
    "cevc": extract_cevc,
    "cetd": extract_cetd,
    "cetd-plain": extract_cetd_plain,
    "cetd-smooth": extract_cetd_smooth,
    "cepr": extract_cepr,
    "cepr-etpr": extract_cepr_etpr,
    "cepr-tpr": extract_cepr_tpr,
    "cetr": extract_cetr,
    "cetr-km": extract_cetr_km,
    "cetr-tm": extract_cetr_tm,
    "text-density": extract_text_density,
    "wpmte": extract_wpmte,
    "dgwc-svm": extract_dgwc_svm,
    "dgwc-nb": extract_dgwc_nb,
    "dgwc-c45": extract_dgwc_c45,
    "far-sw": extract_far_sw,
    "far-sw-2": extract_far_sw_2,
    "pean": extract_pean,
    "pean-any-date": extract_pean_any_date,
    "mibat": extract_mibat,
    "mibat-any-date": extract_mibat_any_date,
    "thresher-any": extract_thresher_any,
    "thresher-posts": extract_thresher_posts,
}


def check_name(name: str | None) -> str:
    """Return the name of the algorithm that is meant, the default for None; raise UsageError for an unknown one."""
    if name is None:
        return DEFAULT
    if name not in ALGORITHMS:
        raise UsageError(f"unknown algorithm {name!r}; choose one of: {', '.join(ALGORITHMS)}")
    return name
