"""Words that tell names from what is none; each list is one string of words."""

_NOBODY = """
    admin administrator unknown none null undefined n/a author authors editor webmaster root user guest default
    false true name 佚名 未知 管理员 匿名 小编 不详 网络 原创 转载
"""
_ROLES = """
    writer reporter editor correspondent columnist contributor staff expert analyst director manager producer officer
    press news times journal post herald tribune gazette telegram daily media magazine network university institute
    reuters bloomberg agency service agencies today guest contributing senior chief professor attorney founder ceo
    president head freelance opinion sponsored team redaktion editorial reporting photographer company inc llc ltd
    foundation association center centre school college group society weekly review radio television tv web online
    the a an my our your this that these with all more about read share save print email updated published minutes
    min comments follow subscribe related home menu search advertisement photo photos image credit courtesy
"""
_PARTICLES = """
    de da do dos das del della di du la le van von der den ter ten bin ibn al el y zu af av e
"""

NOBODY = frozenset(_NOBODY.split())  # given as an author where there is none
ROLES = frozenset(_ROLES.split())  # of an office, an organisation or a page, not of a person
PARTICLES = frozenset(_PARTICLES.split())  # written small inside a name
