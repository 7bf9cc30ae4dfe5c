"""The words by which a text is held to a claim: units, opposites, denials, doubts; data of `support`."""

from __future__ import annotations


def _listed(text: str) -> list[str]:
    return text.split()


def _words(text: str) -> frozenset[str]:
    return frozenset(_listed(text))


STOP = _words(
    "a an the this that these those it its he she they them his her their we our i my you your is are was were be been being am"
    " has have had do does did of in on at to for from by with as and or nor but if then than so such which who whom whose what"
    " when where while there here also just very more most much many some any each both into onto over under about around"
    " between through during can could may might will would shall should must not no"
)
NEGATIONS = _words(
    "not no never none nor neither without cannot nothing nobody lacks lacking fails failed false nicht kein keine keinen"
    " keiner nie niemals ohne ne pas jamais sans sin nunca ningún ninguna ni"
)
DOUBTS = _words(
    "may might could would will if whether planned plans proposed projected expected expects forecast reportedly allegedly"
    " alleged rumored rumoured rumor rumour rumors myth hoax debunked misconception fictional hypothetical supposedly claimed"
    " claims aims target predicted predicts incorrectly falsely wrongly mistakenly unconfirmed disputed soll sollte könnte"
    " angeblich pourrait serait podría habría supuestamente"
)
"""Words by which a source does not say itself what stands beside them."""
CONTRASTS = _words("unlike whereas while whilst compared versus vs instead contrary but however although though")
BOUNDS = _words("almost nearly over under below above least most than exceeding exceeds")
"""Words right before a number by which it is another one: "more than 330"; and so is "up to 330"."""
BINDING = _words(
    "only first last all every always never largest smallest biggest highest lowest tallest longest shortest oldest newest"
    " fastest best worst most least sole entire both half twice double triple quarter third"
)
"""Words that say too much to be left out: where the claim has one, the source must too."""
PREPOSITIONS = _words("in of at near by from on to for with under over into and or de von del la le")
PRONOUNS = _words("it he she they this these its his her their the such both")
OPPOSITES = tuple(
    (pair.partition("/")[0], pair.partition("/")[2])
    for pair in _listed(
        "increase/decrease increased/decreased increases/decreases rise/fall rose/fell risen/fallen rises/falls grew/shrank"
        " more/less more/fewer higher/lower highest/lowest largest/smallest biggest/smallest longest/shortest tallest/shortest"
        " oldest/newest oldest/youngest first/last before/after above/below win/lose won/lost wins/loses allow/forbid"
        " allowed/forbidden allows/forbids legal/illegal safe/unsafe safe/dangerous enable/disable enabled/disabled"
        " enables/disables true/false minimum/maximum start/end started/ended began/ended opened/closed open/closed"
        " accepted/rejected approved/rejected approve/reject support/oppose supports/opposes supported/opposed gain/loss"
        " profit/loss north/south east/west northern/southern eastern/western male/female hot/cold synchronous/asynchronous"
        " mutable/immutable public/private success/failure succeeded/failed born/died buy/sell bought/sold import/export"
        " include/exclude includes/excludes included/excluded inside/outside early/late earlier/later upper/lower"
        " positive/negative possible/impossible default/optional required/optional with/without"
    )
)
MAGNITUDES = {"hundred": 2, "thousand": 3, "million": 6, "billion": 9, "bn": 9, "trillion": 12, "tausend": 3}
NUMBERS = {
    word: str(number)
    for number, word in enumerate(
        _listed(
            "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
            " eighteen nineteen twenty"
        )
    )
}
UNITS = {
    name: unit
    for unit, names in {
        "%": "% percent pct prozent",
        "$": "$ dollar dollars usd",
        "€": "€ euro euros eur",
        "£": "£ pound pounds gbp",
        "m": "m metre metres meter meters",
        "km": "km kilometre kilometres kilometer kilometers",
        "cm": "cm centimetre centimetres centimeter centimeters",
        "mm": "mm millimetre millimetres millimeter millimeters",
        "ft": "ft foot feet",
        "in": "inch inches",
        "mi": "mi mile miles",
        "kg": "kg kilogram kilograms kilogramme kilogrammes",
        "g": "g gram grams",
        "t": "tonne tonnes ton tons",
        "lb": "lb lbs",
        "s": "s sec secs second seconds",
        "ms": "ms millisecond milliseconds",
        "min": "min mins minute minutes",
        "h": "h hr hrs hour hours",
        "d": "day days",
        "w": "week weeks",
        "mo": "month months",
        "y": "year years",
        "kb": "kb kilobyte kilobytes",
        "mb": "mb megabyte megabytes",
        "gb": "gb gigabyte gigabytes",
        "tb": "tb terabyte terabytes",
    }.items()
    for name in names.split()
}
