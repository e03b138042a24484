"""The refusals of tournaments: a closed list of ids with their wording.

Those with values in braces get them from `refused`, so that they are said in every language.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from sheshbesh.i18n import Text
from sheshbesh.rules import Refusal, Refused

TOURNAMENT_RULES: Mapping[str, str] = MappingProxyType(
    {
        "actor.server_only": "only the server does this in a tournament",
        "actor.director": "only a director of this tournament does this",
        "actor.referee": "only a referee or a director of this tournament does this",
        "tournament.over": "the tournament is over",
        "tournament.not_now": "this cannot be done in the present state of the tournament",
        "tournament.held": "the tournament is held: the director decides how it goes on",
        "reason.missing": "a reason must be given, since somebody loses by this",
        "text.characters": "a text of a tournament cannot contain the character {character}",
        "settings.system": "{setting} does not belong to this system of tournament",
        "settings.limit": "{setting} is from {least} to {most} here",
        "settings.card": "no match can be played by this card: {problem}",
        "settings.rated": "matches with guests and those at real boards are not rated",
        "settings.club": "a tournament for the members of a club names that club",
        "settings.tie_break": "a tie-break is listed twice or stands after the place is shared",
        "card.event": "this card cannot be played in a tournament, because of {part}",
        "zone": "{zone} is not the name of a time zone",
        "starts": "a tournament starts at a time between now and 400 days from now",
        "opens": "entries open before the start, at most 400 days from now",
        "rounds.too_many": "with {entrants} entrants at most {most} rounds are possible without a second"
        " meeting; for more, choose a round robin",
        "start.few": "a tournament of this system starts with at least {least} entrants",
        "start.many": "a tournament of this system has at most {most} entrants",
        "draw.commitment": "a commitment and a secret are 64 hexadecimal digits",
        "draw.secret": "this is not the secret that was committed to when the tournament was announced",
        "entry.closed": "entries are closed",
        "entry.full": "the tournament is full; there is a waiting list",
        "entry.twice": "you are entered already, by this account or another one that was used in this"
        " browser",
        "entry.none": "you are not entered in this tournament",
        "entry.check_in": "you have not checked in",
        "entry.banned": "the directors have excluded you from this tournament",
        "entry.guest": "guests cannot enter this tournament; an account is needed",
        "entry.rating": "your rating is outside the limits of this tournament",
        "entry.unrated": "this tournament needs a rating from at least 20 rated matches",
        "entry.bot": "bots cannot enter this tournament",
        "entry.only_bots": "only bots enter this tournament",
        "entry.club": "only members of the club enter this tournament",
        "entry.invited": "only those who are invited enter this tournament",
        "entry.matches": "with this tournament you would have more than {most} open matches",
        "entrant.unknown": "there is no entrant with this number",
        "entrant.out": "this entrant is out of the tournament",
        "entrant.in": "this entrant is not out of the tournament",
        "pairing.unknown": "there is no pairing with this number",
        "pairing.over": "this pairing is decided or annulled",
        "pairing.begun": "a match of this round has begun",
        "pair.twice": "an entrant can be in one pairing at a time",
        "pair.entrant": "this entrant is not to be paired now",
        "pair.round": "this is not the round that is to be paired",
        "pair.bye": "this entrant cannot have the bye",
        "pair.again": "these two have met, and another pairing is possible",
        "pair.slot": "these two are not to meet now",
        "pair.matches": "there must be one match for each pairing",
        "round.open": "a pairing of this round is still open",
        "result.score": "in a match to {length} one of the two has {length} and the other has less",
        "result.winner": "the winner is one of the two who played, and the one who has the full score",
        "result.known": "another result of this pairing is known; a director corrects it",
        "result.none": "this pairing has no result yet",
        "director.own": "nobody rules on a pairing of their own",
        "director.too_late": "a later match depends on this result; it must be annulled first",
        "director.last": "a tournament has 1 to {most} directors",
        "amend.frozen": "{setting} can no longer be changed: the entrants have relied on it",
        "playoff.tie": "a playoff is between two entrants who share a place",
    }
)


def refused(rule: str, **values: object) -> Refused:
    """Return the exception with the refusal of this id; KeyError if its sentence lacks a value."""
    return Refused(Refusal(rule, None, Text(TOURNAMENT_RULES[rule], **values)))
