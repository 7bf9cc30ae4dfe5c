"""Whether a name is one of a secret, and whether what stands behind it can be one."""

from __future__ import annotations

import re
from typing import Literal

from proxy.remembered import remembered

Kind = Literal["password", "foreign", "secret", "key", "loose", "lone", ""]
"""What a name promises: a password, in English or not; what somebody issued; a key to something; what is often something
else; a key of whatever sort; nothing."""


def words(text: str) -> frozenset[str]:
    """The words of a text."""
    return frozenset(text.split())


LONGEST_NAME = 60
"""Code points of a name that are looked at before the word that gives it away."""

_LONGEST_WORD = 40
"""Code points of a word of a language, at most."""

_WORD = re.compile(r"[A-ZÄÖÜÑ]?[a-zß-ÿ]+|[A-ZÄÖÜÑ]+(?![a-zß-ÿ])|\d+")

_PASSWORD = re.compile(r"(?!1pass|keepass|lastpass)[a-z0-9]{0,20}(?:password|passwd|passphrase|passcode)")
_FOREIGN = frozenset(("passwort", "kennwort", "contraseña", "contrasena", "passe", "senha"))
_PASSWORD_SHORT = words("pass pwd")
_SECRET = words(
    """
    secret credential apikey accesskey secretkey privatekey accountkey authtoken accesstoken refreshtoken apitoken
    clientsecret sessiontoken bearertoken idtoken authkey appsecret sshpass phpsessid jsessionid sessionid
    """
)
_LOOSE = words("cookie token auth session signature sig pat pass pwd")
_PLURALS = {
    **{f"{one}s": one for one in (*_SECRET, "token", "key", "passphrase", "passcode", "password", "passwd")},
    "passwörter": "passwort",
}

# What a key opens, by the word before it: of these any value is taken, or one with a digit.
_KEYS = words("api access secret private shared")
_ALSO_KEYS = words(
    """
    encryption encrypt signing sign master service license deploy server client admin auth app hmac aes storage
    webhook subscription account crypto session decryption jwt ssh rsa integration write read stripe openai
    anthropic google maps aws azure
    """
)
_NO_KEYS = words(
    """
    issue project jira idempotency idempotence cache primary foreign sort partition public host routing object order
    item row shard dedupe dedup lookup map arrow function hot file resource parent epic record change from to
    feature flag translation i18n message locale unique composite natural surrogate business group field column
    property config index range hash bucket s3 event registry answer down up hk home return shift any legend color
    space enter thread dict json metric room door hotel car house safe locker
    """
)
_ACCOUNTS = words("db smtp mail ftp sftp user root admin mysql postgres pg redis ldap imap proxy rabbitmq mongo http")
_NO_TOKENS = words("trace page next previous continuation continue cursor sync idempotency card payment resume scroll")
_TOKENS = words("access auth refresh session bearer id api bot security")

# What may stand behind the word and leaves the name one of a secret: which one it is, and in what form.
_WHICH = words(
    """
    value text plain plaintext hash new old current previous prod production staging stage dev test live sandbox
    local v b64 base64 raw confirm confirmation again repeat default primary secondary main backup root admin env
    enc encrypted header pem data string
    """
)
# What makes it the name of something about the secret.
_ABOUT = words(
    """
    at on by count counts length len min max required expires expired expiry expiration expire changed change reset
    last set ref arn id ids name names type types url uri link path file hint policy policies status state age days
    date time version versions strength field label delivery rotation rotated updated created login manager provider
    format prefix suffix last4 fingerprint limit limits usage used budget bucket enabled disabled valid verified
    attempts tries history email protected sent method mode scope scopes issuer algorithm alg endpoint store storage
    vault source visible visibility placeholder autocomplete
    """
)

# The values that no secret has: states, words that begin a sentence, names of types, marks of what is left out.
_HARMLESS = words(
    """
    a an the this that these those it its is are was were be been not no none null nil empty blank unset never
    always too very so and or but if in on at of to for from by with without as per via under over between within
    about after before until when where how what which who whose your you my our their his her we they i he she one
    two both each all any some same other different another new old yes true false off ok okay done fine good bad
    wrong right correct incorrect valid invalid optional necessary weak strong short long longer shorter simple easy
    secure insecure unsafe safe unknown known public private secret confidential temporary permanent success present
    absent reset set sent kept gone due stale fresh ready out there here back now still also just already soon later
    again ours yours must should shall can cannot may might will would has have had do does did needs please enter
    choose type click see use ask contact try check copy paste keep written given shown hidden taken broken stolen
    forgotten forbidden chosen lost found str text bytes int integer number boolean bool object array list dict
    varchar char secretstr void self const let var return await async import default example sample test placeholder
    value name field case one-time weaker stronger alphanumeric numeric random unique identical compliant critical
    important plaintext plain bcrypt argon2 argon2id scrypt pbkdf2 md5 sha1 sha256 sha-256 sha512 base64 utf8 utf-8
    hs256 rs256 es256 flag flags options parameter aes256 aes-256 aes128 oauth oauth2 2fa v1 v2 v3 n/a na tbd todo
    basic bearer digest jwt token tokens scheme realm header headers credential credentials error errors access
    login account user username falsch richtig korrekt ungültig gültig zu erforderlich notwendig nötig leer
    unbekannt bekannt sicher unsicher schwach stark kurz lang neu alt nicht kein keine noch schon jetzt wieder ein
    eine der die das den dem im auf mit von für wird wurde muss darf soll geheim vertraulich pflicht pflichtfeld ist
    abgelaufen incorrecta incorrecto correcta inválida válida caducada vencida requerida requerido obligatoria
    obligatorio demasiado muy débil segura insegura nueva vieja la el una un su tu mi en de es ya incorrecte
    invalide valide expiré expirée requis requise obligatoire trop fort nouveau ancien le les du des ne pas est
    votre incorreta inválido expirada expirou obrigatória obrigatório necessária muito fraca curta longa errada nova
    antiga não está
    """
)
# Ends of words that say how something is, and never what it reads.
_STATES = tuple(words("ed ing able ible ory ive ful less ly ous ment tion ance ence ity ization"))

_NOUN = re.compile(
    r"pass(?:word|wort|phrase|wd)|secret|kennwort|contrase|mot de passe|senha|密码|密碼|パスワード|비밀번호|api.?key|token",
    re.I,
)
# What stands in for a value: a variable, a blank to be filled, what is left of a masked one, a place where it is kept.
_STAND_IN = re.compile(
    r"""[*•●xX._#…?-]+ | \$[A-Z_][A-Z0-9_]*(?:\W.*)? | \$[({\[].* | \$\d+ | \{\{.* | \{[a-z_.]+\} | %\(?[a-z_]*\)?s | :[a-z_]+
      | @\w+ | <[a-z ._-]*>? | \[[a-z .]*\]? | (?:your|my|the)[_-].* | !\w+ | \#\{.* | \w+\.{3}
      | (?:vault|arn|kv|ssm|op|file|env|keyring|secretref|projects)[:/].*
      | [a-z][a-z\d+.-]{1,20}://.* | [a-z-]{4,40}-verification=.* | /[\w./-]+ | [~.]{1,2}/.* | [a-z]:\\.*
      | \d{4}-\d\d(?:-\d\d.*)? | -?\d{1,3}(?:\.\d+)?""",
    re.X | re.I | re.S,
)
_PATH = re.compile(r"[a-z]+(?:[-_/.][a-z]+|[-/.]v?\d{1,4}(?![^/.-]))*", re.I)
_RECORD = re.compile(r"[A-Z]{1,6}(?:[-_][A-Z0-9]{1,4})*[-_]\d+")
_UUID = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}|[0-9a-f]{40}|[0-9a-f]{64}", re.I)
_HYPHENED = re.compile(r"[a-z]+(?:['’-][a-z]+)+|\d+-[a-z]+(?:-[a-z]+)*", re.I)
_HYPHENED_STATE = re.compile(r"[\w-]+-(?:\w+ed|\w+ing|only|free|based|bit|sensitive|compliant)", re.I)
# Code: a call or an index, a variable, an attribute.
_CALL = re.compile(r"[A-Za-z_][\w.]*[(\[]")
_VARIABLE = re.compile("[a-z_]+")
_ATTRIBUTE = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+[!?]?")
# What no word of a language has.
_DIGIT = re.compile(r"\d")
_LETTER = re.compile(r"[^\W\d_]")
_ODD = re.compile(r"[!@#$%^&*+=~?/\\_](?:(?=\w)|(?<=\w[!@#$%^&+=~]))")
_CAPITAL = re.compile(r"[A-Z](?<=[a-z]{2}.)(?=[a-z]*[A-Z])")
# What a random value is made of, a word or a time with a number that is none, and where the case of letters turns.
_SEGMENT = re.compile(r"[A-Za-z0-9]{8,}")
_COUNTED = re.compile(r"[a-z]+\d{1,4}|\d+[a-z]|\d{8}T\d{6}Z?")
_TURN = re.compile(r"[a-z][A-Z]|[A-Z]{2}[a-z]")


@remembered
def kind_of(name: str) -> Kind:
    """What the name promises of its value, in whatever way its words are joined."""
    parts = [_PLURALS.get(word, word) for word in map(str.lower, _WORD.findall(name))]
    place = next((at for at in range(len(parts) - 1, -1, -1) if _secret_word(parts, at)), -1)
    if place < 0:
        return ""
    behind = [word for word in parts[place + 1 :] if word not in _WHICH and not word.isdigit()]
    kind = _secret_word(parts, place)
    if kind == "key" and parts[place - 1] not in _ALSO_KEYS and " key" in name.lower():
        kind = "lone"  # two words of a sentence: "the answer key"
    if any(word in _ABOUT for word in behind):
        return ""
    return ("" if kind in ("key", "lone") else "loose") if behind else kind


def _secret_word(parts: list[str], at: int) -> Kind:
    """What one of a name's words promises, by the words before it."""
    word, before = parts[at], parts[at - 1] if at else ""
    if word in _FOREIGN:
        return "foreign" if word != "passe" or before == "de" else ""
    if _PASSWORD.fullmatch(word):
        return "" if before == "1" else "password"
    if word in _SECRET or (word == "key" and before in _KEYS) or (word == "token" and before in _TOKENS):
        return "secret"
    if word == "token" and before in _NO_TOKENS:
        return ""
    if word == "key":
        return "lone" if not before else "" if before in _NO_KEYS else "key"
    if word in _PASSWORD_SHORT:
        return "password" if word == "pwd" or before in _ALSO_KEYS or before in _ACCOUNTS else ""
    return "loose" if word in _LOOSE else ""


def plural(name: str) -> bool:
    """Whether the name is one of several secrets: a number behind it counts them."""
    return name.rstrip("_-").lower().endswith(("s", "wörter")) and not name.lower().endswith("pass")


def stands_in(value: str) -> bool:
    """Whether the value is none: left out, masked, a variable, where it is kept, a date, or a small number."""
    return not value.strip("*") or bool(_STAND_IN.fullmatch(value))


def says_how(value: str, *, bare: bool = True) -> bool:
    """Whether the value is a word that says how a secret is, or begins a sentence; what is quoted may have hyphens."""
    word = value.strip(" .,;:!?'\"()*_`\\").lower()
    if not word or word in _HARMLESS:
        return True
    if len(word) > _LONGEST_WORD:
        return False
    if word.isalpha():
        return word.isascii() and word[2:].endswith(_STATES)
    return bool(_HYPHENED_STATE.fullmatch(word) or (bare and _HYPHENED.fullmatch(word)))


def sentence(value: str) -> bool:
    """Whether a quoted value is words about secrets and no secret: a message, a label, the name of the thing itself."""
    value = value.strip()
    first, _, rest = value.partition(" ")
    return bool(_NOUN.fullmatch(value) or says_how(first, bare=bool(rest)) or (rest and _NOUN.search(value)))


def code(value: str, after: str) -> bool:
    """Whether a bare value is an expression: a call, an index, an attribute, the variable of the same name."""
    if _CALL.match(value + after):
        return True
    named = _VARIABLE.fullmatch(value) and _NOUN.search(value)
    return bool(named or _ATTRIBUTE.fullmatch(value))


def path(value: str) -> bool:
    """Whether the value is the name of something in words, as a secret is filed: "prod/db", "stripe-webhook"."""
    return bool(_PATH.fullmatch(value)) and not value.isalpha()


def mixed(value: str) -> bool:
    """Whether a word has what no word of a language has: digits among letters, signs, capitals inside."""
    return bool((_DIGIT.search(value) and _LETTER.search(value)) or _ODD.search(value) or _CAPITAL.search(value))


def machine_made(value: str) -> bool:
    """Whether a value looks random: no number of a record, no date, no words joined."""
    return not record(value) and any(map(_random_part, _SEGMENT.findall(value)))


def _random_part(segment: str) -> bool:
    if segment.isalpha():
        return len(segment) >= 16 and len(_TURN.findall(segment)) * 4 >= len(segment)
    return not segment.isdigit() and not _COUNTED.fullmatch(segment)


def record(value: str) -> bool:
    """Whether the value is the number of a record: "PAY-1187"."""
    return bool(_RECORD.fullmatch(value))


def filed(value: str) -> bool:
    """Whether the value is a UUID or a digest, which name things more often than they open them."""
    return bool(_UUID.fullmatch(value))
