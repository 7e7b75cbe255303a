"""What to try next on each page, in a sentence or two."""

from typing import Final

TRY_NEXT: Final = {
    "one_ranking": (
        "Click a document until it is unjudged and watch the band open. Then drag p towards 1: "
        "which matters more, what is unjudged or what lies below the list?"
    ),
    "choosing_p": (
        "Set the budget you can afford to judge, and see which p it allows. Then let a hundred "
        "users walk, and a hundred thousand."
    ),
    "two_papers": (
        "Bring the two p together and see when a verdict appears. Then give one of the scores "
        "a residual."
    ),
    "scores": (
        "Ask for ranges: which differences between runs are safe, whatever the unjudged "
        "documents turn out to be?"
    ),
    "pool_depth": (
        "Play the depth from 1 upwards. AP falls for almost every run as more is judged; does "
        "RBP at p = 0.5 move at all?"
    ),
    "fewer_judgments": (
        "Keep a tenth of the judgments and compare how far each metric moves, and whether the "
        "order of the runs survives."
    ),
    "agreement": (
        "Compare a metric with itself at two pool depths, then with another metric at one: "
        "which pair agrees more?"
    ),
    "seven_properties": (
        "Open a 'no' and check the two scores by hand. Then type a ranking of your own."
    ),
    "one_good_answer": (
        "Put a partly relevant document above the best one: who stops there, and who reads on?"
    ),
}
