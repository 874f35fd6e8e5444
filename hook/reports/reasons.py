"""The words of the not-checked list: what each reason means, and what to do next."""

from __future__ import annotations

REASONS = {
    "no_pins": "no test shows a call of the function; add one with plain inputs and an expected outcome",
    "unsupported": "something that cannot be judged yet; put it more simply where you want it judged",
    "parse_error": "could not be read; correct the text there",
    "disagreement": "the verifier and our evaluation contradict each other; please report it",
    "verifier_missing": "no verifier is installed; see `clausefit doctor`",
    "timeout": "the verifier ran out of time; try a larger `--timeout`",
    "unknown": "the verifier could not decide; a simpler clause, or a test with smaller values, may help",
    "undefined": "the clause has no value there; guard it, or exclude the input with `requires`",
    "crash": "the verifier ended with an error; run it again, and report it if that does not help",
    "dropped": "the verifier dropped an annotation; correct what it complains about",
    "vacuous": "the contract or its logic contradicts itself; mend that finding first",
    "outcome_not_known": "the tests do not show the outcome; assert it in one",
    "stale_pins": "recorded calls are of other code or another test; record again with `clausefit record -- …`",
    "interrupted": "the run was stopped; run it again",
    "budget": "the time of `--budget` was up; run it again, which goes on from what is decided, or give it more time",
    "not_asked": "no verifier was started; `clausefit check` without `--no-verifier` asks one",
    "missing_file": "a file is missing; add it, or correct the path",
    "git": "git could not tell; run the git command by hand",
}
