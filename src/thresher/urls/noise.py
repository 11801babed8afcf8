"""Parameters that say who came and from where, never what is meant: data for the canonical form.

Names are compared in lower case. Ambiguous ones (`ref`, `from`, `source`, `scene`, short `sid`s) are kept: fetching
a page twice is cheaper than never fetching it.
"""

import re

# Prefixes: whole families of campaign parameters ("amp;" is left by pages that escape their ampersands twice).
NOISE_PREFIXES = (
    "utm_",
    "amp;utm_",
    "mtm_",
    "pk_",
    "piwik_",
    "matomo_",
    "hsa_",
    "aspsessionid",
    "at_custom",
    "at_recipient",
    "_bta_",
    "trk_",
)

_CLICK_IDS = """
    gclid gclsrc dclid gbraid wbraid gad_source gad_campaignid fbclid msclkid yclid ymclid twclid ttclid igshid igsh
    li_fat_id epik sccid qclid rdt_cid bd_vid qhclickid irclickid wickedid rb_clickid
"""
_CAMPAIGNS = """
    mc_cid mc_eid _hsenc _hsmi __hstc __hssc __hsfp hsctatracking mkt_tok vero_id vero_conv oly_anon_id oly_enc_id
    s_cid cmpid ncid xtor wt.mc_id wt.mc_ev _openstat ns_mchannel ns_source ns_campaign ns_linkname ns_fee at_medium
    at_campaign at_link_id at_link_origin at_link_type at_format __twitter_impression __s ml_subscriber
    ml_subscriber_hash _ga _gl _ke guccounter guce_referrer guce_referrer_sig soc_src soc_trk sr_share
"""
_CHINESE = """
    spm_id_from vd_source share_source share_medium share_plat share_tag share_session_id share_token share_from
    unique_k tdsourcetag adtag isappinstalled hmsr hmpl hmcu hmkw hmci chksm bsource
"""
_SESSIONS = """
    phpsessid jsessionid asp.net_sessionid oscsid zenid xtcsid cftoken
"""

# Names that are noise whatever their value.
NOISE_NAMES = frozenset((_CLICK_IDS + _CAMPAIGNS + _CHINESE + _SESSIONS).split())

_HEX_32 = re.compile(r"[0-9a-fA-F]{32}")
# A session id is long and mixes letters and digits; a thread or story id is short or all digits.
_SESSION_ID = re.compile(r"(?=[^0-9]*[0-9])(?=[^A-Za-z]*[A-Za-z])[A-Za-z0-9,_.!-]{20,}")
_DOTTED = re.compile(r"[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]*){2,}")

# Names that are noise only with a value of this form.
NOISE_IF_VALUE = {
    "s": _HEX_32,  # vBulletin; elsewhere a search
    "sid": _SESSION_ID,  # phpBB and others; elsewhere a story
    "sessid": _SESSION_ID,
    "sessionid": _SESSION_ID,
    "session_id": _SESSION_ID,
    "session": _SESSION_ID,
    "sess": _SESSION_ID,
    "cfid": re.compile(r"[0-9]+|[0-9a-fA-F-]{32,36}"),  # ColdFusion, beside cftoken
    "spm": _DOTTED,  # Alibaba's "a2h0c.8166622.1.dtitle"
    "scm": _DOTTED,
}

# Path parameters (";name=value" at the end of a segment) that carry a session.
NOISE_PATH_NAMES = ("jsessionid", "phpsessid", "sessionid")
