"""Words that come from data, named here so that translators find them."""

from thresher.web.frame import N_

WORDS = (
    *(N_("active"), N_("paused"), N_("adaptive"), N_("feed"), N_("site"), N_("forum"), N_("search")),
    *(N_("sitemap"), N_("listing"), N_("board"), N_("moved"), N_("gone")),
    *(N_("running"), N_("interrupted"), N_("finished"), N_("waiting"), N_("draining"), N_("lost"), N_("ended")),
    *(N_("stopped"), N_("failed"), N_("done"), N_("cancelled")),
    *(N_("starting"), N_("pausing"), N_("stored"), N_("skipped"), N_("buried"), N_("refused")),
    *(N_("silent"), N_("barren"), N_("late"), N_("unasked"), N_("failing"), N_("empty"), N_("alike")),
    *(N_("added"), N_("duplicate"), N_("dead"), N_("forbidden"), N_("invalid"), N_("allowed")),
    *(N_("given"), N_("announced"), N_("well-known place"), N_("on the front page")),
    *(N_("info"), N_("warning"), N_("error"), N_("viewer"), N_("analyst"), N_("admin"), N_("read"), N_("write")),
    *(N_("worker"), N_("edited"), N_("imported"), N_("rising"), N_("default"), N_("environment"), N_("flag")),
    *(N_("word"), N_("name"), N_("author")),
    *(N_("Politeness"), N_("Limits and retention"), N_("Watching"), N_("Places"), N_("More")),
)
