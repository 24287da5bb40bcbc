"""The columns of every table of the statistics.

`gold` says which questions count: `published` (all, with the gold as it was published) or `undisputed` (without those
that a dossier of disputed gold names); only where a benchmark has a dossier are there rows of the second kind.
A value that cannot be known is null: an accuracy while a row is unjudged, an interval of nothing.
"""

from __future__ import annotations

import pyarrow as pa

PUBLISHED, UNDISPUTED = "published", "undisputed"
CELL = ("system", "reader", "reader_pass", "judge")
P_VALUES, P_DIGITS = ("p", "p_holm", "mcnemar_p"), 7  # significant digits: small ones keep their size

_KINDS = {
    "text": pa.string(),
    "count": pa.int64(),
    "counts": pa.list_(pa.int64()),
    "rate": pa.float64(),
    "flag": pa.bool_(),
}


def _schema(*columns: str) -> pa.Schema:
    """Columns in their order, from lines that begin with the kind of those that follow: "rate: low high"."""
    lines = [line.split(": ") for line in columns]
    return pa.schema([(name, _KINDS[kind]) for kind, names in lines for name in names.split()])


# One judging of one pass on one slice. Axis `macro` has the mean over the slices of the axis that it names, each
# weighing the same (no `correct`, no Wilson). `se` is the standard error, clustered as the bootstrap is; `t_low`
# and `t_high` are accuracy ± t se, only where conversations are what is drawn. `disputed_low` and `disputed_high`:
# every disputed row wrong, every one right (rows of `published` alone).
ACCURACY = _schema(
    "text: gold system reader reader_pass judge axis slice",
    "count: n correct",
    "rate: accuracy se wilson_low wilson_high boot_low boot_high t_low t_high",
    "count: n_error n_unparseable n_unanswered",
    "rate: bound_low bound_high mean_grade",
    "count: n_disputed",
    "rate: disputed_low disputed_high",
)
# A system or a family of systems on one slice, each question's value being the mean over the passes and the
# members.
SLICES = _schema(
    "text: gold reader judge kind name",
    "count: members passes",
    "text: axis slice",
    "count: n",
    "rate: mean se low high",
    "count: n_unjudged",
)
# `kind`: `families` (left minus right in a slice), `slices` (slice minus other_slice in a family, left = right),
# `differences` (left minus right in the slice, less the same in the other one). `p` is two-sided, of the estimate
# over its standard error `se` by Student's t with `df` degrees of freedom; `p_holm` is corrected within `block`,
# which holds `tests` tests.
CONTRASTS = _schema(
    "text: block gold kind reader judge left right axis slice other_slice",
    "count: n n_other",
    "rate: estimate se low high",
    "count: df",
    "rate: p p_holm",
    "count: tests n_unjudged",
)
# Rows of `SLICES` of two benchmarks that hold the same questions in two languages.
LANGUAGE_SLICES = pa.schema([*_schema("text: benchmark"), *SLICES])
# A system or family in the benchmark `left` less the same in `right`, question by question; p as in `CONTRASTS`.
LANGUAGE_CONTRASTS = _schema(
    "text: block gold reader judge kind name",
    "count: members",
    "text: left right axis slice",
    "count: n",
    "rate: mean_left mean_right estimate se low high",
    "count: df",
    "rate: p p_holm",
    "count: tests n_unjudged",
)
# On a headline slice (all, or answerable and abstention apart), two cells that differ in one axis (`compare`),
# whose name a and b are; that axis is empty among the four others.
COMPARISONS = _schema(
    "text: block gold axis slice compare system reader reader_pass judge a b",
    "count: n n_unjudged",
    "rate: rate_a rate_b",
    "count: only_a only_b",
    "rate: difference se low high t_low t_high mcnemar_p p_holm",
    "count: tests",
)
# k verdicts of each question: over passes (`kind` passes), or over repeated judgings of one pass (`judgings`:
# `judge` is the first of them). One row a stated bar, and one without any. `decision`: above, below, straddles.
STABILITY = _schema(
    "text: gold kind system reader reader_pass judge members",
    "count: k n n_unjudged",
    "rate: mean half_range lowest highest",
    "count: all_right majority_right any_right unstable",
    "text: bar_name",
    "rate: bar",
    "text: decision",
)
# `cause`: judge (same answer), reader (another answer to the same request), evidence (another packet or scaffold),
# unknown (answers or evidence were not released).
FLIPS = _schema(
    "text: system reader judge pass_a pass_b question_id question_type",
    "flag: correct_a correct_b same_answer same_evidence",
    "text: cause",
    "flag: disputed",
)
AGREEMENT = _schema(
    "text: gold system reader reader_pass judge_a judge_b",
    "flag: repeat",
    "text: axis slice",
    "count: n agree",
    "rate: rate wilson_low wilson_high kappa",
    "count: both_right only_a only_b both_wrong n_unjudged",
)
DISAGREEMENTS = _schema(
    "text: system reader reader_pass judge question_id",
    "flag: correct official",
    "text: raw",
)
# What a pass cost. Tokens are the provider's own count, summed over answers that have one (`n_counted`); dollars by
# the pinned price table, null where it has no price for the model. `packet_tokens` are proxy tokens, mean a
# question.
USAGE = _schema(
    "text: system reader reader_pass",
    "count: n n_counted prompt_tokens completion_tokens",
    "rate: tokens_per_question dollars dollars_per_question packet_tokens",
)
# Scores of turns, gathered to dialogues and to the data set. `level` turn: n turns; dialogue: n dialogues, each the
# `dialogue_aggregate` of its turns, each of which is the `turn_aggregate` of its metrics.
DIALOGUES = _schema(
    "text: system reader reader_pass judge level turn_aggregate dialogue_aggregate axis slice",
    "count: n",
    "rate: mean min max",
    "count: n_unjudged",
)
DISCRIMINABILITY = _schema(
    "text: gold reader reader_pass judge axis slice",
    "count: n systems",
    "rate: spread error",
    "text: formula",
    "rate: value",
)
CORRELATIONS = _schema(
    "text: gold reader reader_pass judge axis slice_a slice_b",
    "count: systems",
    "rate: spearman",
)
# A published figure beside ours. `outcome`: equal, differs, absent (our tables have no such row).
CLAIMS = _schema(
    "text: claim published ours outcome table column where source",
)
# A question of the dossier, one row a source that disputes it: what it says, and how many cells judged it right.
DISPUTED = _schema(
    "text: question_id question_type kind",
    "flag: changes_score",
    "text: source detail",
    "count: n_judged n_right",
)
RETRIEVAL = _schema(
    "text: system stage level metric",
    "count: k",
    "text: slice",
    "count: n",
    "rate: value ci_low ci_high",
)
RANKS = _schema(
    "text: question_id stage level",
    "count: n_gold",
    "counts: ranks",
    "count: rank_first rank_all",
)
SUPPORT_ROWS = _schema(
    "text: question_id kind operator",
    "flag: supported",
    "rate: chance",
    "count: values",
    "flag: fired",
)
SUPPORT = _schema(
    "text: system operator kind slice",
    "count: n supported",
    "rate: rate ci_low ci_high chance values",
    "count: fired",
)
TRIGGERS = _schema(
    "text: system operator slice",
    "count: n fired",
    "rate: rate",
    "count: labelled needed tp fp fn",
    "rate: precision recall",
)
PACKETS = _schema(
    "text: system slice",
    "count: n",
    "text: layout",
    "rate: sessions_mean proxy_tokens_mean",
    "count: proxy_tokens_max max_sessions max_tokens",
    "text: tokenizer",
    "count: over_budget whole extracted cut turns elided_lines dropped",
    "text: dropped_by",
    "rate: gold_complete",
    "count: n_gold_complete",
    "rate: turn_complete",
    "count: n_turn_complete",
)
