"""The shapes of answers: which columns of a question are drawn, and which values have pictures of their own."""

from msgspec import Struct

from archive.stats import Question
from archive.web.stats.answer import KEYS

HOUSE = ("rules", "unit", "contract")


class ChartSpec(Struct, frozen=True):
    """A picture of an answer: a specification, the column that it draws, the word for its rows, and the columns that
    have a picture for every value, so that nothing is drawn together that cannot be compared."""

    spec: str
    value: str
    label: tuple[str, ...] = ()
    apart: tuple[str, ...] = ("rules", "contract")


CHART_SPECS: dict[str, tuple[ChartSpec, ...]] = {
    "results_by_contract": (
        ChartSpec("shares", "won_rate", ("contract",), ("rules", "unit")),
        ChartSpec("bars", "declarer_per_deal", ("contract",), ("rules", "unit")),
    ),
    "results_by_trump_suit": (ChartSpec("shares", "won_rate", ("contract", "suit"), ("rules", "unit")),),
    "schneider_and_schwarz": tuple(
        ChartSpec("shares", name, ("contract",), ("rules",)) for name in ("schneider_rate", "schwarz_rate")
    ),
    "points_histogram": (ChartSpec("points", "deals", (), ("rules", "parties")),),
    "touts": tuple(ChartSpec("shares", name, ("contract",), ("rules", "unit")) for name in ("touts_rate", "won_rate")),
    "solo_success": (ChartSpec("grid", "won_rate"),),
    "results_by_multiplier": (
        ChartSpec("shares", "share", ("multiplier",), HOUSE),
        ChartSpec("bars", "declarer_per_deal", ("multiplier",), HOUSE),
    ),
    "thrown_in": tuple(ChartSpec("shares", name, ("rules",), ()) for name in ("thrown_in_rate", "misdealt_rate")),
    "runners_distribution": (ChartSpec("runners", "share"),),
    "runners_earnings": (
        ChartSpec("bars", "runners_per_deal", ("contract",), ("rules", "unit")),
        ChartSpec("shares", "with_runners_rate", ("contract",), ("rules", "unit")),
    ),
    "runners_and_winning": (ChartSpec("shares", "won_rate", ("runners",)),),
    "seat_advantage": (
        ChartSpec("bars", "per_deal", ("place",), ("rules", "unit", "players")),
        ChartSpec("shares", "declared_rate", ("place",), ("rules", "unit", "players")),
    ),
    "forehand_play": (ChartSpec("shares", "share", ("place",), ("rules", "contract", "players")),),
    "fat_tricks": tuple(ChartSpec("shares", name, ("role",)) for name in ("fat_rate", "champion_rate")),
    "called_ace": tuple(ChartSpec("shares", name, ("led_by",)) for name in ("share", "found_rate", "stabbed_rate")),
    "called_ace_by_trick": tuple(ChartSpec("shares", name, ("searched_in",)) for name in ("share", "won_rate")),
    "run_away": (ChartSpec("shares", "ran_away_rate", ("called_cards",)),),
    "results_by_called_card": (ChartSpec("shares", "won_rate", ("contract", "called"), ("rules", "unit")),),
    "players_declaring": (ChartSpec("shares", "won_rate", ("name",), ("rules", "unit")),),
    "players_defending": (ChartSpec("shares", "won_rate", ("name",), ("rules", "unit")),),
    "players_by_contract": (ChartSpec("shares", "won_rate", ("name",), (*HOUSE, "role")),),
    "pairs": (ChartSpec("shares", "won_rate", ("name", "partner_name"), HOUSE),),
    "balances": (ChartSpec("bars", "balance", ("name",), ("unit",)),),
    "attendance": (ChartSpec("bars", "evenings", ("name",), ("year",)),),
    "evenings_of_players": (ChartSpec("bars", "per_evening", ("name",), ("unit",)),),
    "best_evenings": (ChartSpec("bars", "balance", ("name", "evening"), ("unit",)),),
    "players_by_year": (ChartSpec("bars", "balance", ("name", "year"), ("unit",)),),
    "players_by_month": (ChartSpec("bars", "balance", ("name", "month"), ("unit",)),),
    "longest_runs": (ChartSpec("bars", "length", ("name",), ("won_run",)),),
    "knocks_pay": (ChartSpec("bars", "per_deal", ("role", "knocked"), HOUSE),),
    "kontra_pay": (
        ChartSpec("bars", "per_deal", ("word", "role", "before_trick"), HOUSE),
        ChartSpec("shares", "won_rate", ("word", "role", "before_trick"), HOUSE),
    ),
    "doubled_deals": (ChartSpec("shares", "deals_rate", ("knocks", "doubles"), HOUSE),),
    "acts_pay": (
        ChartSpec("shares", "won_rate", ("act", "act_points"), HOUSE),
        ChartSpec("bars", "net_per_deal", ("act", "act_points"), HOUSE),
    ),
    "closing_pays": (
        ChartSpec("shares", "won_rate", ("talon_left",), HOUSE),
        ChartSpec("bars", "net_per_deal", ("talon_left",), HOUSE),
    ),
    "lords_dealt": (ChartSpec("dealt", "hands_rate", ("lords_dealt",), ("rules", "pack", "cards")),),
    "matadors_dealt": (ChartSpec("dealt", "hands_rate", ("matadors_dealt",), ("rules", "pack", "cards")),),
    "luck_and_results": (ChartSpec("scatter", "per_deal", ("name",), ("rules", "unit")),),
    "accuracy_by_player": (ChartSpec("shares", "right_rate", ("name",), ("rules", "role")),),
    "luck_adjusted_standings": tuple(
        ChartSpec("bars", name, ("name",), ("rules", "unit")) for name in ("beyond_open", "open_worth")
    ),
    "pairs_with_open_cards": (ChartSpec("bars", "beyond_open", ("name", "partner_name"), HOUSE),),
    "seats_with_open_cards": tuple(
        ChartSpec("bars", name, ("place",), ("rules", "unit", "players")) for name in ("open_worth", "beyond_open")
    ),
    "contracts_against_expectation": tuple(
        ChartSpec("shares", name, ("contract",), ("rules", "unit")) for name in ("won_rate", "open_rate")
    ),
    "lost_by_trick": (ChartSpec("shares", "wrong_rate", ("in_trick",), (*HOUSE, "role")),),
    "opening_leads_with_open_cards": (ChartSpec("shares", "wrong_rate", ("lead",), (*HOUSE, "role")),),
    "knocks_worth_it": (ChartSpec("shares", "open_rate", ("role",), HOUSE),),
    "kontra_worth_it": (ChartSpec("shares", "open_rate", ("word", "role"), HOUSE),),
    "declaring_hands": (ChartSpec("shares", "won_rate", ("lords_dealt",), (*HOUSE, "pack", "cards")),),
    "sessions_overview": (ChartSpec("verdicts", "deals", ("session", "date"), ("rules",)),),
    "events_overview": (ChartSpec("verdicts", "deals", ("event", "list", "table_name"), ("rules",)),),
    "disputes_by_kind": (ChartSpec("bars", "deals", ("finding", "verdict"), ("rules",)),),
    "disputes_by_source": (ChartSpec("shares", "deals_rate", ("format", "verdict"), ("rules",)),),
    "errors_by_source": (ChartSpec("shares", "errors_rate", ("recorder", "table_name", "source"), ("rules", "unit")),),
    "session_balance": tuple(
        ChartSpec("bars", name, ("name",), ("session", "rules")) for name in ("dealt", "declared")
    ),
    "deals_by_month": (ChartSpec("months", "deals", ("month",), ("rules",)),),
}


def chart_specs(question: Question, columns: tuple[str, ...]) -> tuple[ChartSpec, ...]:
    """Return how a question is drawn; one without an entry here that has a picture, by its first rate."""
    if question.name in CHART_SPECS or not question.chart:
        return CHART_SPECS.get(question.name, ())
    rate = next((name for name in columns if f"{name}_low" in columns), None)
    if rate is None:
        return ()
    keys = [name for name in columns if name in KEYS]
    apart = tuple(name for name in HOUSE if name in keys)
    label = tuple(name for name in keys if name not in apart) or apart[-1:]
    return (ChartSpec("shares", rate, label, tuple(name for name in apart if name not in label)),)
