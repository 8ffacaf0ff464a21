"""Questions about single tricks."""

from archive.rules.titles import CHAMPION, FAT
from archive.stats.definitions import GAME, ROLE
from archive.stats.sql import PLAYED, integer_keys, rate
from archive.stats.types import Facts, Question

FACTS = (
    Facts(
        name="fat_trick_facts",
        says="Tricks with many card points by who took them.",
        keys={"rules": "TEXT", "contract": "TEXT", "role": "TEXT"} | integer_keys("trick"),
        sums=("fat", "champion"),
        sql=f"""SELECT r.name AS rules, d.contract AS contract, {ROLE} AS role, t.trick AS trick, count(*) AS fat,
            sum(CASE WHEN t.points >= {CHAMPION} THEN 1 ELSE 0 END) AS champion
            {PLAYED} JOIN tricks t ON t.deal_id = d.id AND t.points >= {FAT}
            JOIN seats s ON s.deal_id = d.id AND s.seat = t.winner WHERE {GAME} AND {{where}}""",
    ),
)

OF_CONTRACT = "sum(sum(fat)) OVER (PARTITION BY rules, contract)"

QUESTIONS = (
    Question(
        name="fat_tricks",
        subject="results",
        facts=("fat_trick_facts",),
        needs=("tricks",),
        sql=f"""SELECT rules, contract, role, sum(fat) AS fat, {OF_CONTRACT} AS sample,
            {rate("sum(fat)", OF_CONTRACT, "fat_rate")},
            sum(champion) AS champion, {rate("sum(champion)", "sum(fat)", "champion_rate")},
            round(1.0 * sum(fat * trick) / nullif(sum(fat), 0), 2) AS mean_trick
            FROM fat_trick_facts WHERE {{only}} GROUP BY rules, contract, role ORDER BY rules, contract, role""",
        size="fat",
    ),
)
