"""How days are called: weekdays and months, and the words around them, by language."""

from kbwork.base.dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DayWords:
    """Of one language, folded. Months may be cut to three letters, where no other one begins so."""

    weekdays: tuple[str, ...]
    """Monday first."""
    months: tuple[str, ...]
    today: str
    tomorrow: str
    next: tuple[str, ...]
    """Before a weekday, a week or a month: that of the week, or the month, behind this one."""
    ahead: tuple[str, ...]
    """Before a number of days, weeks or months."""
    units: tuple[tuple[str, ...], ...]
    """Days, weeks, months and years, each as one and as many, and in a letter."""
    one: tuple[str, ...]
    """A one, before a unit."""
    least: int = 2
    """To so many letters weekdays are cut."""


def _words(text: str) -> tuple[str, ...]:
    return tuple(text.split())


def _units(days: str, weeks: str, months: str, years: str) -> tuple[tuple[str, ...], ...]:
    return _words(days), _words(weeks), _words(months), _words(years)


ENGLISH = DayWords(
    weekdays=_words("monday tuesday wednesday thursday friday saturday sunday"),
    months=_words("january february march april may june july august september october november december"),
    today="today",
    tomorrow="tomorrow",
    next=("next",),
    ahead=("in",),
    units=_units("d day days", "w week weeks", "m month months", "y year years"),
    one=("a", "an", "one"),
    least=3,
)
BY_LANGUAGE = {
    "de": DayWords(
        weekdays=_words("montag dienstag mittwoch donnerstag freitag samstag sonntag"),
        months=_words("januar februar märz april mai juni juli august september oktober november dezember"),
        today="heute",
        tomorrow="morgen",
        next=_words("nächste nächsten nächster nächstes"),
        ahead=("in",),
        units=_units("t tag tage tagen", "w woche wochen", "m monat monate monaten", "j jahr jahre jahren"),
        one=_words("ein eine einem einer"),
    ),
    "fr": DayWords(
        weekdays=_words("lundi mardi mercredi jeudi vendredi samedi dimanche"),
        months=_words("janvier février mars avril mai juin juillet août septembre octobre novembre décembre"),
        today="aujourd'hui",
        tomorrow="demain",
        next=("prochain", "prochaine"),
        ahead=("dans",),
        units=_units("j jour jours", "s semaine semaines", "m mois", "a an ans année années"),
        one=("un", "une"),
    ),
    "es": DayWords(
        weekdays=_words("lunes martes miércoles jueves viernes sábado domingo"),
        months=_words(
            "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre"
        ),
        today="hoy",
        tomorrow="mañana",
        next=("próximo", "próxima"),
        ahead=("en",),
        units=_units("d día días", "s semana semanas", "m mes meses", "a año años"),
        one=("un", "una"),
    ),
    "it": DayWords(
        weekdays=_words("lunedì martedì mercoledì giovedì venerdì sabato domenica"),
        months=_words(
            "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre"
        ),
        today="oggi",
        tomorrow="domani",
        next=("prossimo", "prossima"),
        ahead=("tra", "fra"),
        units=_units("g giorno giorni", "s settimana settimane", "m mese mesi", "a anno anni"),
        one=("un", "una"),
    ),
    "nl": DayWords(
        weekdays=_words("maandag dinsdag woensdag donderdag vrijdag zaterdag zondag"),
        months=_words(
            "januari februari maart april mei juni juli augustus september oktober november december"
        ),
        today="vandaag",
        tomorrow="morgen",
        next=("volgende",),
        ahead=("over",),
        units=_units("d dag dagen", "w week weken", "m maand maanden", "j jaar jaren"),
        one=("een",),
    ),
    "pt": DayWords(
        weekdays=_words("segunda terça quarta quinta sexta sábado domingo"),
        months=_words(
            "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro"
        ),
        today="hoje",
        tomorrow="amanhã",
        next=("próximo", "próxima"),
        ahead=("em",),
        units=_units("d dia dias", "s semana semanas", "m mês meses", "a ano anos"),
        one=("um", "uma"),
    ),
}
MONTH_FIRST = frozenset({"US", "PH", "PR", "GU", "FM", "MH", "PW"})
"""Regions that write 12/5 for the fifth of December."""
