"""The words by which the results of changes say that nothing came of them, or that all went well."""

from __future__ import annotations

import re

from proxy.roots import root


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _roots(text: str) -> frozenset[str]:
    return frozenset(map(root, text.split()))


HARD = r"errors?|errored|fail(?:ed|ure)?|unsuccessful|timed? ?out|unauthori[sz]ed|forbidden|conflict"
"""States by which a call failed whatever it was for."""
SOFT = (
    r"reject(?:ed)?|rjct|refused|den(?:y|ied)|nac?k|nok|declined|aborted|expired|invalid|unavailable|unable|discarded|incorrecto"
    r"|rechazad[oa]|refusée?"
    r"|abgelehnt|bad[a-z]{3,}|taken|sold out|fully booked|roll(?:ed)? ?back|exceeded|inhibited|insufficient|prohibited"
)
"""Those of what was not to end so."""
STATE = re.compile(
    rf"(?:[a-z]+ ){{0,4}}(?:(?P<hard>{HARD}|not found)|(?P<soft>{SOFT}))(?: (?:complete|by|in|from|with|x?\d\w*)\b.*)?"
)
"""What a state says by which nothing came of a call: "request rejected", "payment_failed", "UPDATE_ROLLBACK_COMPLETE"."""
NOT = re.compile(r"(?:not|non) ([a-z]+)")
DONE = _roots(
    """
    processed applied executed completed performed accepted approved authorized allowed permitted possible available
    eligible delivered modified made
    """
)
"""Roots of what "not" stands before in such a state; beside them, the verb of the tool."""
WELL = re.compile(
    r"(?i)(?:ok|okay|success\w*|succeeded|completed?|done|created|updated|confirmed|accepted|approved|active|booked"
    r"|reserved|sent"
    r"|queued|pending|processing|processed|scheduled|submitted|delivered|saved|recorded|executed\b.*|finalizado"
    r"|erfolgreich|20[0-9])"
)
"""What a state says by which it went well, or is under way."""
STATES = _words(
    "status state result outcome disposition decision verdict phase response ack transition estado statut sts"
)
"""Words by which a field says how something stands."""
ABOUT = _words(
    """
    request task job operation transaction response result status modification execution action change update lsr api call
    command function submission delivery data output body payload header meta json d return reply
    """
)
"""Words of fields that are about the call itself, and not about a thing that it names."""
ERRORS = _words(
    """
    errmsg errtext error errors err exception exceptions fault faults failure failures reject rejects rejection refusal
    revert failed
    """
)
ASIDE = _words(
    """
    last previous prev prior old former first max min rate count total handling policy retry retries threshold budget log
    page on if handler margin level levels correction reporting callback webhook url notify email attempts history
    template stats shards original
    """
)
"""Words of fields that tell of other failures, or of what would be done in case of one."""
GRANTS = _words("granted accepted approved allowed permitted eligible")
"""Flags of what somebody else has to agree to; they may come later, so they count where the result says why not."""
WHY_NOT = _words("violation violations conflict conflicts reason reasons cause blockers errors rules")
"""Words by which a field says why not."""
FLAGS = _roots("success ok recorded saved executed succeeded performed honored persisted stored held ack sucesso")
"""Roots of the words by which a field says whether it came about."""
PAYS = _roots("charge pay payment auth authorize card sale purchase transaction capture credit loan")
"""Roots of tools' words behind which `approved: false` says so too."""
CODES = _words("code errcode errno retcode rc respcode resultcode")
"""Words by which a field gives a code."""
OF_CODE = _words("result resp response reply return ret status")
"""Words before `code` by which it is that of the whole call."""
FINE = re.compile(r"(?i)0+|2\d\d|ok|success|approved|accepted|none|null|")
"""Codes by which it went well."""
KEYS = _words(
    """
    id ids number numero no ref reference token url confirmation booking reservation transaction autorisation redemption
    label job line reserva document shipment
    """
)
"""Words by which a field names what a change has made."""
WHY = _words(
    """
    reason cause message msg explanation remark note detail details description warning warnings text comment commentaire
    libelle blocker title why hint error errors errmsg meldung
    """
)
"""Words by which a field says why."""
BESIDE = _words(
    """
    code name type trace status data request documentation debug timestamp time path instance help issue issues response
    resp
    """
)
"""Words of fields that stand beside these where an object tells of nothing else."""
COUNTED = _words("changed updated modified affected allocated")
"""Fields of how many things were changed."""
NONE = re.compile(r"(?i)\s*(?:none|n/?a|null|nil|no(?: errors?)?|ok|success\w*|0|false|-)?\s*\.?")
"""A text that says that there was no error."""
TROUBLE = re.compile(
    r"(?i)\b(?:not|no|never|invalid|unable|cannot|denied|fail\w*|missing|required|exceed\w*|unavailable|reject\w*|must"
    r"|errors?|\w*exception"
    r"|expired|insufficient|closed|locked|forbidden|unknown|too (?:many|long|large|short|soon|late)|limit\w*|refused"
    r"|declined|conflict"
    r"|unprocessable|should be|another open|bad[a-z]+|overlap\w*|n[ei]|pas|nicht|kein\w*)\b|n['’]t\b"
    r"|无法|不能|失败|不足|拒绝|できません|できない|失敗|수 없|불가|부족|실패|거절"
)
"""Words by which a text that is all that came back tells of trouble."""
WELL_SAID = re.compile(
    r"(?i)\b(?:success\w*|succeeded|ok|done|completed?|accepted|approved|erfolgreich|correctamente)\b|✓|✅|成功|성공|完了"
)
MAKES = re.compile(
    r"creat|book|reserv|issue|upload|generat|enrol|order|schedul|submit|register|add|open|file|place|request|post|sign"
    r"|print|ship|merge|crear|reservar|creer|emitir|buch|anleg|prenot|agendar|solicit|make|log|put"
)
"""How verbs of tools begin after which there is a new thing."""
GRADES = re.compile(r"record|grade|mark|log|report|result|assess|score|rate")
"""How words of tools begin that write down how something ended."""
SO_BEFORE = re.compile(
    r"(?i)\balready\b|\bno changes? (?:needed|necessary|required)\b|\bnothing to\b|\bbereits\b|\bdéjà\b"
)
"""Words by which nothing had to be changed."""
LEVELS = _words("level sev st typ msgty")
GRAVE = _words("e err")
"""Fields that say how grave it is, and what they say of a failure."""
AGAINST = re.compile(
    r"reject|declin|den[yi]|refus|cancel|abort|void|revok|delet|remov|terminat|kill|withdraw|invalidat|block|expir"
    r"|rollback|revert|undo|disabl"
    r"|close|stop|suspend|ban|drop|archiv|deactivat|storn|anular|annul|sperr|rechaz|elimin|unlist"
    r"|unpublish|fail"
)
"""How words of tools begin after which a thing is gone, off or refused, as it was wanted."""


REFUSES = re.compile(r'"(?:accept|approv|allow|grant|confirm|enabl)\w*"\s*:\s*false')
"""Arguments by which something is to be refused, or off."""


KV = re.compile(
    r"(?im)(?:^|[\s|;,{(<\"*])[\w.-]{0,24}(?:status|state|result|outcome|phase|response|resp|ack|disposition|decision"
    r"|sts|estado|estadoenvio)"
    r"\"?\s*[=:]\s*\"?(?P<said>[A-Za-z][\w-]{1,40}(?: [a-z]+)?)\s*(?=$|[|;,})\">]|\s\w+=)"
)
"""States in lines of names and values: `status=DENIED`."""
XML = re.compile(
    r"(?i)<(?:[\w-]+:)?\w*(?:status|state|result|outcome|disposition|sts|estado\w*|statut|qualifier"
    r"|resultcode)>\s*(?P<said>[^<]{2,60}?)\s*<"
)
"""States in XML."""
ATTRIBUTE = re.compile(r"(?i)\b(?:\w*status|state|result|outcome|\w*responsetype)=\"(?P<said>[^\"]{2,40})\"")
"""States in attributes of XML."""
XML_ERROR = re.compile(
    r"(?i)^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w-]+:)?error(?:response)?\b[^>]*(?<!/)>\s*(?!</)"
    r"|<(?:[\w-]+:)?\w*errors?(?:\s[^>]*)?>\s*<(?:[\w-]+:)?error\b"
    r"|<approved>\s*(?:0|false|n)\s*<|<result code=\"[2-9]\d{3}\"|\bHTTP/1\.1 [45]\d\d\b"
)
"""What is an error by the form of an XML document."""
CODE = re.compile(
    r"(?i)\b(?:ret_?code|resp(?:onse)?(?:_?code)?|rc|result_?code"
    r"|command_status)\s*[=:]\s*(?:0x)?0*(?P<said>[1-9a-f][0-9a-f]{0,7})\b"
)
"""Codes in lines of names and values."""
PROGRAM = re.compile(
    r"(?m)^(?:[\w./@:-]{1,60}: )?(?:fatal|denied|FATAL|E|ERR)\b ?:|^\W{0,3}(?:Error|ERROR): |^% ?[A-Z][a-z]+ |^X (?=\S)"
    r"|^make: \*\*\*"
    r"|^Msg \d+, Level 1[1-9]|^rsync error\b|^[^\n]{0,80}: Permission denied\b"
    r"|^[^\n]{0,80}(?:No such file or directory|command not found|No space left on device|Insufficient access"
    r"|Connection refused)"
    r"|^Automatic merge failed\b|\bnothing to commit, working tree clean|^\d+ out of \d+ hunks? FAILED\b"
    r"|^[45]\d\d[ -](?:\d\.\d\.\d\b|[A-Z<])"
    r"|^[\w.-]+ NO \[?[A-Z]|^Job for \S+ failed\b|^(?:\*\* ?)?UNABLE\b|^[\w-]+: (?:No|Cannot|Could not|Unable) "
    r""
    r"|^(?:Set|New|Remove|Get|Add|Enable|Disable|Start|Stop|Update|Move|Invoke|Restart|Grant|Revoke)-[A-Z]\w+ ?: "
    r"|^\(\w*(?:Failed|Denied|NotFound|Error|Exception|Conflict)\) |(?:^|\r)MSA\|A[ER]\|"
    r"|^\(nil\)$|ACCEPTANCE FAILURE|(?i:^exception response)\b|^\+ CategoryInfo\b"
)
"""Lines by which programs say that they failed."""
REFUSAL = re.compile(
    r"(?i)\bcan(?:not|[’']t| no(?:t| longer)) |\bcould ?n[o’']?t\b|\bcould not\b|\bunable to\b"
    r"|\b(?:was|were|is|are|has been|have been) ?(?:n[’']t|not) (?:\w+ed|sent|made|done|mergeable|available|possible"
    r"|allowed|eligible)\b"
    r"|^\W*(?:\w+ ){1,3}not (?:submitted|processed|saved|booked|issued|recorded|changed|made|accepted|created|sent|placed"
    r"|updated|stored|completed|cancell?ed)\b"
    r"|^\W*(?:\w+ ){1,3}(?:did not|didn[’']t) (?:complete|go through|succeed)\b"
    r"|\bnothing (?:was )?(?:saved|changed|sent|booked|made)\b"
    r"|\b(?:was|were) not (?:saved|submitted|recorded|changed|booked|sent|created|processed|updated)\b"
    r"|^\W*(?:\w+ ){1,3}(?:rejected|declined|denied|refused|aborted|failed)\b"
    r"|\bno (?!charge|fee|cost|error|issue|problem)\w+ (?:made|created|booked|saved|sent|issued)\b"
    r"|\bno \w+ (?:was|were|has been) \w+|\bno \w+ (?:available|code provided)\b|^\W*(?:\w+ )?failed to\b"
    r"|^\W*invalid (?:value\b|\w+\W*$)|\balready (?:in|taken|booked)\b"
    r"|\btry again\b|\bturn it off first\b|\bsetpoint left at\b|\bsold out\b|\bfully booked\b|\bdoes ?n[o’']t exist\b"
    r"|\babove the [^\n]{0,20}limit\b"
    r"|\baucune? \w+ (?:disponible|trouvée?)\b"
    r"|\b(?:konnten? nicht|non (?:è stat[oa]|effettuat[oa]|possibile|riuscit[oa])|não (?:foi|pode|há|é possível))\b"
    r"|\b(?:leider|nicht (?:mehr )?(?:möglich|verfügbar|zulässig)|bereits (?:vergeben|belegt)|lo sentimos"
    r"|no se (?:puede|pudo|ha podido)"
    r"|ne peut (?:plus|pas)|n[’']a pas (?:été|pu)|n[’']est (?:ni|pas|plus)|impossible)\b"
    r"|无法|不能|失败|できません|できない|恐れ入りますが|수 없|불가"
)
"""What a line says by which it was not done."""
SHOUTED = re.compile(r"\b(?:REFUSED|REJECTED|DENIED|DECLINED|NACK|NAK)\b")
"""A word in capitals by which a line says so."""
LATE = re.compile(r"(?i)\b(?:was|were) not \w+ed\b|できません(?:でした)?")
"""What says so wherever it stands."""
BREAK = re.compile(r"[.!;:。！；：](?!\d)|(?<=[^\x00-\x7f])[,，、]")
"""Where a line that may have said that it was done goes on."""
AGAIN = re.compile(r"(?i)\btry again\b|\bfirst, then\b")
"""What it says of another try."""
GOOD = re.compile(
    r"(?i)^\W*(?:saved|done|updated|created|sent|booked|added)\b"
    r"|\b(?:success\w*|succeeded|erfolgreich|correctamente|congratulations|approved|ok(?!=0))\b|✓|✅|成功|성공|完了|しました"
    r"|\b(?:is|are|has been|have been|was|were|wurde|fue|a été|est) (?:now )?(?!not|n[’']t|denied|rejected|refused"
    r"|declined|closed|locked"
    r"|blocked|expired|protected|prohibited|required)\w+(?:ed|t|en)\b|\bnow\b"
    r"|(?<!not )(?<!n[’']t )(?<!be )\b(?:set to|renamed|submitted|edited|created|deployed|published|registered|deleted"
    r"|wrote|scaled|paused|appended|changed:)"
)
"""What a line says by which it was."""
