"""The words by which the results of changes say that nothing came of them, or that all went well."""

from __future__ import annotations

import re

from proxy.roots import root


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _roots(text: str) -> frozenset[str]:
    return frozenset(map(root, text.split()))


HARD = (
    r"errors?|errored|fail(?:ed|ure)?|unsuccessful|timed? ?out|unauthori[sz]ed|forbidden|conflict"
    r"|fehlgeschlagen|fehler|échec|échoué|erreur|fallid[oa]|falló|falhou|erro|fallit[oa]|errore|mislukt|ko|ng|失败|失敗|실패"
)
"""States by which a call failed whatever it was for."""
SOFT = (
    r"reject(?:ed)?|rjct|refused|den(?:y|ied)|nac?k|nok|declined|soft declined?|aborted|expired|invalid|unable"
    r"|discarded|incorrecto"
    r"|rechazad[oa]|denegad[oa]|refusée?|recusad[oa]|negad[oa]|rifiutat[oa]|geweigerd|afgewezen|abgewiesen"
    r"|abgelehnt|bad[a-z]{3,}|(?:slot|seat|room|already) taken|sold out|fully booked|roll(?:ed)? ?back"
    r"|exceeded|inhibited|insufficient|prohibited"
)
"""Those of what was not to end so."""
STATE = re.compile(
    rf"(?:[a-z]+ ){{0,4}}(?:(?P<hard>{HARD}|not found)|(?P<soft>{SOFT}))(?: (?:complete|by|in|from|with|x?[1-9]\w*)\b.*)?"
)
"""What a state says by which nothing came of a call: "request rejected", "payment_failed", "UPDATE_ROLLBACK_COMPLETE"."""
NOT = re.compile(r"(?:not|n[aã]o|no|non|nicht|niet) ([^\W\d_]+)")
DONE = _roots(
    "processed applied saved accepted authorized allowed permitted possible eligible changed created updated booked granted "
    "realizado realizada aprobado aprobada aprovado aprovada autorizado procesado processado procesada effettuato approvato "
    "genehmigt bewilligt durchgeführt ausgeführt verarbeitet uitgevoerd verwerkt goedgekeurd"
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
    "status state result outcome disposition decision verdict phase response ack transition estado statut sts "
    "situacao situação stato zustand ergebnis resultado resultat résultat resultaat esito"
)
"""Words by which a field says how something stands."""
ABOUT = _words(
    """
    request task job operation transaction response result status modification action change update lsr api call
    command function submission data output body payload header meta metadata json d return reply
    """
)
"""Words of fields that are about the call itself, and not about a thing that it names."""
ERRORS = _words("error errors err fault exception errmsg errtext faultstring")
"""Words by which a field names an error, as the last of its name."""
OF_ERRORS = _words("error err failure rejection refusal revert decline")
SAYS = _words("message msg text txt code detail details reason description string type number no")
"""Words before and behind which one that names an error says what it is: `failure_reason`, `refusalReason`."""
LISTS = _words("errors errmsgs failures rejects failed")
"""Fields that list what failed."""
TURNED_AWAY, LET_IN = (
    _words("rejected failed refused bounced"),
    _words("accepted sent delivered succeeded applied"),
)
"""Lists of what was turned away, and of what was not, where each has its own."""
DECIDED = re.compile(r"reject|declin|refus|den[yi]|\"(?:no|false)\"")
"""Arguments by which something was to be turned away."""
ASIDE = _words(
    """
    last previous prev prior old former first max min rate count total handling policy retry retries threshold budget log
    page on if handler margin level levels correction reporting callback webhook url notify email attempts history
    template stats shards original
    """
)
"""Words of fields that tell of other failures, or of what would be done in case of one."""
GRANTS = _words("granted accepted")
"""Flags of what somebody else has to agree to; they may come later, so they count where the result says why not."""
WHY_NOT = _words("violation violations conflict conflicts reason reasons cause blockers errors")
"""Words by which a field says why not."""
FLAGS = _words("success ok succeeded sucesso stored")
"""Words by which a field says whether it came about."""
TAKEN = _words(
    """
    applied accepted processed granted uebernommen übernommen angenommen durchgeführt
    durchgefuehrt verarbeitet gespeichert toegepast geaccepteerd verwerkt aplicado aplicada aceptado aceptada
    procesado procesada realizado realizada aceito aceita processado appliqué accepté traité effectué applicato accettato
    elaborato effettuato
    """
)
"""Words by which a field says whether somebody, or something, took what was sent; they may come later, as those of `GRANTS`."""
PAYS = _roots("charge pay payment auth authorize card sale purchase transaction capture credit loan")
"""Roots of tools' words behind which `approved: false` says so too."""
CODES = _words("code errcode errno retcode rc respcode resultcode")
"""Words by which a field gives a code."""
OF_CODE = _words("result resp response reply ret")
"""Words before `code` by which it is that of the whole call."""
FINE = re.compile(r"(?i)0+|2\d\d|ok|success|approved|accepted|none|null|")
"""Codes by which it went well."""
KEYS = _words("id number numero no ref reference token url confirmation")
"""Words by which a field names what a change has made."""
WHY = _words(
    """
    reason cause message msg explanation explain remark remarks detail details warning warnings why hint error errors errmsg
    meldung libelle commentaire anomalies violations mensaje blocker motivo grund fehlertext melding reden motif motivazione
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
NONE = re.compile(
    r"(?i)\s*(?:なし|無し|无|沒有|没有|否|없음|正常|정상"
    r"|none|n/?a|n|null|nil|no(?: errors?)?|ok|success\w*|0|false|-)?\s*\.?"
)
"""A text that says that there was no error."""
TROUBLE = re.compile(
    r"(?i)\b(?:not|no|never|invalid|unable|cannot|denied|fail\w*|missing|required|exceed\w*|unavailable|reject\w*|must"
    r"|errors?|\w*exception"
    r"|expired|insufficient|closed|locked|forbidden|unknown|too (?:many|long|large|short|soon|late)|limit\w*|refused"
    r"|declined|conflict"
    r"|minimum|maximum|gesperrt|abgelaufen|fehlt|fehlend\w*|ungültig|kleiner|verlopen|ontbreekt|caducad\w+|expirad\w+|agotad\w+|scadut\w+|expirée?"
    r"|unprocessable|should be|another open|bad[a-z]+|overlap\w*|n[ei]|pas|nicht|kein\w*)\b|n['’]t\b"
    r"|无法|不能|失败|不足|拒绝|できません|できない|失敗|수 없|불가|부족|실패|거절"
)
"""Words by which a text that is all that came back tells of trouble."""
WELL_SAID = re.compile(
    r"(?i)\b(?:success\w*|succeeded|ok|done|completed?|accepted|approved|erfolgreich|correctamente)\b|✓|✅|成功|성공|完了"
)
"""Words by which such a text tells that it went well."""
MAKES = re.compile(
    r"creat|book|reserv|issue|upload|generat|enrol|order|schedul|submit|register|add|open|file|place|request|post|sign"
    r"|print|ship|merge|crear|reservar|creer|emitir|buch|anleg|prenot|agendar|solicit|make|log|put"
)
"""How verbs of tools begin after which there is a new thing."""
BAD = re.compile(
    r"\b[A-Z][a-z]*(?:Exception|Error)\b|\b(?:Bad|Invalid)[A-Z]\w+"
    r"|(?i:\b(?:internal|tool|system|server|service) (?:error|failure)\b"
    r"|\binvalid\b|\bmissing\b"
    r"|\bnot (?:available|found|allowed|valid)\b)"
)
"""What a text that is alone says of trouble beside a refusal."""
DECIDES = re.compile(r"triag|screen|review|moderat|filter|classif|valid|check|select")
"""How words of tools begin that tell the good from the bad: what they turn away is done."""
GRADES = re.compile(r"record|grade|mark|log|report|result|assess|score|rate")
"""How words of tools begin that write down how something ended."""
SO_BEFORE = re.compile(
    r"(?i)\balready\b|\bno changes? (?:needed|necessary|required)\b|\bnothing to\b|\bbereits\b|\bdéjà\b"
)
"""Words by which nothing had to be changed."""
LEVELS = _words("level sev st typ msgty")
"""Fields that say what kind of message one of a log is."""
AGAINST = re.compile(
    r"reject|declin|den[yi]|refus|cancel|abort|void|revok|delet|remov|terminat|kill|withdraw|invalidat|block|expir"
    r"|rollback|revert|undo|disabl"
    r"|close|stop|suspend|ban|drop|archiv|deactivat|storn|anular|annul|sperr|rechaz|elimin|unlist"
    r"|unpublish|fail|respond|rsvp|retir|end|empty|clear|unshar|hid|freez|lock|finish|discard|reset|pause"
)
"""How words of tools begin after which a thing is gone, off or refused, as it was wanted."""
REFUSES = re.compile(r'"(?:accept|approv|allow|grant|confirm|enabl)\w*"\s*:\s*false')
"""Arguments by which something is to be refused, or off."""
KV = re.compile(
    r"(?im)(?:^[\W_]{0,3}(?:status|state|result|outcome|phase|disposition|decision|estado)\"?\s*[=:]"
    r"|(?:^|[\s|;,{])(?:status|state|result|outcome|phase|disposition|decision|estado)=)"
    r"\s*\"?(?P<said>[A-Za-z][\w-]{1,40}(?: [a-z]+)?)\s*(?=$|[|;,})\">]|\s\w+=)"
)
"""States in lines of names and values: `status=DENIED`."""
XML = re.compile(
    r"(?i)<(?:[\w-]+:)?(?:status|state|result|outcome|disposition|txsts|estadoenvio|ack|resultcode)>(?P<said>[^<>]{2,80})<"
)
"""States in XML."""
ATTRIBUTE = re.compile(r"(?i)\b(?:status|state|result|outcome|resresponsetype)=\"(?P<said>[^\"]{2,40})\"")
"""States in attributes of XML."""
XML_ERROR = re.compile(
    r"(?i)^\s*(?:<\?xml[^>]*>\s*)?<(?:[\w-]+:)?error(?:response)?\b[^>]*(?<!/)>\s*(?!</)"
    r"|<(?:[\w-]+:)?\w*errors?(?:\s[^>]*)?>\s*<(?:[\w-]+:)?error\b"
    r"|^\s*<[^<>]{1,200}>\s*<(?:[\w-]+:)?exceptions?(?:_data)?>"
    r"|<approved>\s*(?:0|false|n)\s*<|<result code=\"[2-9]\d{3}\"|\bHTTP/1\.1 [45]\d\d\b"
)
"""What is an error by the form of an XML document."""
CODE = re.compile(
    r"(?i)\b(?:ret_?code|resp(?:onse)?_?code|result_?code"
    r"|command_status)\s*[=:]\s*(?:0x)?0*(?P<said>[1-9a-f][0-9a-f]{0,7})\b"
    r"|\b(?:RC|RESP)=0*(?P<short>[1-9]\d?)\b"
)
"""Codes in lines of names and values."""
PROGRAM = re.compile(
    r"(?m)^(?:[\w./@:-]{1,60}: )?(?:fatal|denied|FATAL|E|ERR)\b ?:(?= )|^\W{0,3}(?:Error|ERROR): "
    r"|^% ?(?:Invalid|Incomplete|Ambiguous|Unknown|Error|Access|Authorization|Bad) |^X (?=\S)"
    r"|^make: \*\*\*"
    r"|^Msg \d+, Level 1[1-9]|^rsync error\b|^[^\n]{0,80}: Permission denied\b"
    r"|^[^\n]{0,80}(?:No such file or directory|command not found|No space left on device|Insufficient access"
    r"|Connection refused)"
    r"|^Automatic merge failed\b|\bnothing to commit, working tree clean|^\d+ out of \d+ hunks? FAILED\b"
    r"|^(?:SMTP )?[45]\d\d[ -](?:\d\.\d\.\d\b|[A-Z<])"
    r"|^[\w.-]+ NO \[?[A-Z]|^Job for \S+ failed\b|^(?:\*\* ?)?UNABLE\b|^(?!warn|note|info|hint"
    r"|debug)[\w-]+: (?:No such|No chain|Cannot|Could not|Unable) "
    r"|^(?:Set|New|Remove|Get|Add|Enable|Disable|Start|Stop|Update|Move|Invoke|Restart|Grant|Revoke)-[A-Z]\w+ ?: "
    r"|^\(\w*(?:Failed|Denied|NotFound|Error|Exception|Conflict)\) |(?:^|\r)MSA\|A[ER]\|"
    r"|^\(nil\)$|ACCEPTANCE FAILURE|(?i:^exception response)\b|^\+ CategoryInfo\b"
)
"""Lines by which programs say that they failed."""
LAST = re.compile(
    r"(?i)\A(?![^\n]*\b[1-9]\d* \w)[^\n]*(?:\A|[.;] )0 (?:updated|changed|sent|created|deleted|moved)\W{0,3}\Z"
    r"|\A(?-i:(?:[a-z_]\w{0,60}\.){1,6}[A-Z]\w{0,60}(?:Error|Exception)): "
)
"""How the last line of a text ends, or begins, that tells of nothing done."""
COUNT = re.compile(r"(?m)^[ \t*-]{0,4}([A-Za-z]+)(?: [a-z]+){0,2} ?[:=] ?(\d{1,9})\b")
"""A line that counts something."""
DONE_SO, FAILED_SO = (
    _words("succeeded sent delivered processed updated created applied"),
    _words("failed error errors rejected"),
)
IN_ALL = _words("total recipients requested submitted items rows records")
"""What such lines count: what was done, what was not, and all of them."""
REFUSAL = re.compile(
    r"(?i)\bcan(?:not|[’']t| no(?:t| longer)) be\b|\bcan(?:not|[’']t) \w+[ :]|\bcould ?n[o’']?t\b"
    r"|\bcould not\b|\bunable to\b"
    r"|\b(?:was|were|is|are|has been|have been) ?(?:n[’']t|not) (?:saved|submitted|recorded|changed"
    r"|booked|sent|created|processed"
    r"|updated|made|done|mergeable|available|possible|allowed|eligible)\b"
    r"|^\W*(?:\w+ ){1,3}not (?:submitted|processed|saved|booked|issued|recorded|changed|made|accepted|created|sent|placed"
    r"|updated|stored|completed|cancell?ed|installed)\b"
    r"|^\W*(?:\w+ ){1,3}(?:did not|didn[’']t) (?:complete|go through|succeed)\b"
    r"|\bnothing (?:was )?(?:saved|changed|sent|booked|made)\b"
    r"|^\W*(?:(?:the|your) )?(?:request|change|update|order|booking|payment|transaction|operation|action"
    r"|submission|transfer"
    r"|application|upload|document|message)(?: (?:was|has been|is))? (?:rejected|declined|denied|refused|aborted|failed)\b"
    r"|^\W*no (?!charge|fee|cost|error|issue|problem|conflict|penalty|data|row)\w+ (?:(?:was|were"
    r"|has been) )?(?:made|created|booked"
    r"|saved|sent|issued|performed)\b"
    r"|^\W*(?:\w+ )?failed to\b|^\W*invalid (?:value\b|\w+\W*$)|\bsetpoint left at\b|\bsold out\b|\bfully booked\b"
    r"|\bdoes ?n[o’']t exist\b|\babove the [^\n]{0,20}limit\b|\baucune? \w+ (?:disponible|trouvée?)\b"
    r"|\b(?:konnten? nicht|non (?:è stat[oa]|effettuat[oa]|riuscit[oa])|não (?:foi|pode))\b"
    r"|\b(?:leider|bereits (?:vergeben|belegt)|lo sentimos|no se (?:puede|pudo|ha podido)|ne peut (?:plus"
    r"|pas)|n[’']a pas (?:été|pu))\b"
    r"|无法|失败|できません|できない|恐れ入りますが|수 없|불가"
)
"""What a line says by which it was not done."""
LATE = re.compile(
    r"(?i)\b(?:entry|request|change|order|booking|claim)s? (?:was|were|has been) not (?:saved|submitted"
    r"|recorded|booked|sent"
    r"|created|processed|stored|applied)\b|\bdemande n[’']a pas été\b|できませんでした"
)
"""What says so wherever it stands."""
ENDS = re.compile(
    r"(?i)\bcould ?n[o’']?t\b|\bcould not\b|\bunable to\b|\bcan(?:not|[’']t| no longer) be\b"
    r"|\bfailed to\b|\bnot found\b|\bkonnten? nicht\b"
    r"|\bdoes ?n[o’']t exist\b|\bne peut\b|\bno se (?:puede|pudo)\b|无法|できません|수 없"
)
"""What says so where something was to be ended, and "is not shared" is as it was wanted."""
NO_LONGER = re.compile(r"(?i)\bcan no longer be (\w+)\W*$")
"""By this a text ends that says why the deed of its tool's name was not done."""
BREAK = re.compile(r"[.!;:。！；：(（](?!\d)| [-–—] |(?<=[^\x00-\x7f])[,，、]|\S+ \S+ \S+,")
"""Where a line that may have said that it was done goes on."""
AGAIN = re.compile(r"(?i)(?:^|[.!] )(?:please |then )?try again\b|\bfirst, then\b")
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
STATED = frozenset(
    ["結果", "结果", "状態", "状态", "ステータス", "결과", "상태", "処理結果", "受付結果", "处理结果", "처리결과"]
)
ERRED = ("エラーコード", "エラー", "错误码", "错误", "오류", "에러")
"""Names of fields in scripts without spaces that have a state, and how those end that have an error."""
CODED = ("결과코드", "結果コード", "结果码", "错误码", "エラーコード", "에러코드")
"""How those end that have a code, which is none where all is well."""
NONE_OF = (
    *("no ", "zero ", "without ", "kein ", "keine ", "ohne ", "sem ", "sin ", "sans ", "aucun ", "aucune "),
    *("nessun ", "senza ", "geen ", "zonder ", "nenhum ", "ningun ", "ningún "),
)
"""How a state begins that tells of nothing bad."""
WRONG = re.compile(r"-[1-9]\d*|(?:E|ERR|F|X)[-_]?0*[1-9]\d+")
"""Codes that say by themselves that something went wrong."""
