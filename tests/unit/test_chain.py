"""Which verifier is asked what, and what is made of several answers. The verifiers here are lists of answers: how
judgements are come by is shown elsewhere."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from clausefit.verifiers.chain import Chain
from clausefit.verifiers.protocol import (
    Hooks,
    Info,
    JavaOutcome,
    JavaScene,
    JavaUnit,
    Judgement,
    Polarity,
    Question,
    VerifierProblem,
)


class Scripted:
    """Answers from a table; ``asked`` are the questions of each call, ``scenes`` their scenes."""

    def __init__(self, name: str, answers: Mapping[str, Judgement], problem: str = "", late: str = "") -> None:
        self.name, self.answers, self.problem, self.late = name, answers, problem, late
        self.asked: list[list[str]] = []
        self.scenes: list[list[str]] = []

    def info(self) -> Info:
        if self.problem:
            raise VerifierProblem(self.problem)
        return Info(self.name, "1")

    def judge(self, unit: JavaUnit, hooks: Hooks) -> Mapping[str, Judgement]:
        self.asked.append([question.id for question in unit.questions])
        self.scenes.append([scene.name for scene in unit.scenes])
        if self.late:
            raise VerifierProblem(self.late)
        hooks.advance(len(unit.questions))
        return {question.id: self.answers[question.id] for question in unit.questions}


def question(id_: str, expected: Polarity = "accept", *, one_sided: bool = False, scene: str = "s") -> Question:
    return Question(id_, scene, "right", "x > 0", expected, "g", one_sided)


def unit(*questions: Question) -> JavaUnit:
    names = dict.fromkeys(one.scene for one in questions)
    outcomes = (JavaOutcome("right", "true", "{}"),)
    scenes = tuple(JavaScene(name, "C", True, (), None, "true", "{}", outcomes) for name in names)
    return JavaUnit("u", (("C.java", "class C { }"),), "java", scenes, questions)


YES = Judgement("accepted", decided_by="key")
NO = Judgement("rejected", decided_by="key")
YES2 = Judgement("accepted", decided_by="openjml")
NO2 = Judgement("rejected", decided_by="openjml")


def open_(reason: str = "unknown", detail: str = "KeY proves neither", evaluated: bool | None = None) -> Judgement:
    return Judgement("undecided", reason, detail, evaluated=evaluated)


UNKNOWN2 = Judgement("undecided", "timeout", "no time left")


@pytest.mark.parametrize(
    ("expected", "first", "second", "asks_second", "verdict", "reason", "by"),
    [
        pytest.param("accept", YES, None, False, "accepted", "", "key", id="as expected: nobody else is asked"),
        pytest.param("refute", NO, None, False, "rejected", "", "key", id="rejected as expected"),
        pytest.param("accept", open_(), YES2, True, "accepted", "", "openjml", id="what is open goes on"),
        pytest.param("accept", open_(), NO2, True, "rejected", "", "openjml", id="open, then a finding"),
        pytest.param("accept", open_("timeout"), YES2, True, "accepted", "", "openjml", id="a time-out goes on"),
        pytest.param("accept", open_("crash"), YES2, True, "accepted", "", "openjml", id="a crash goes on"),
        pytest.param("accept", open_("unsupported"), YES2, True, "accepted", "", "openjml", id="not taken: goes on"),
        pytest.param("accept", open_("parse_error"), YES2, True, "accepted", "", "openjml", id="a bad unit goes on"),
        pytest.param("accept", open_("undefined"), None, False, "undecided", "undefined", "", id="no value: no proof"),
        pytest.param(
            "accept", open_("disagreement"), None, False, "undecided", "disagreement", "", id="differed before"
        ),
        pytest.param("accept", open_("vacuous"), None, False, "undecided", "vacuous", "", id="contradictory facts"),
        pytest.param("accept", open_("interrupted"), None, False, "undecided", "interrupted", "", id="interrupted"),
        pytest.param("accept", NO, NO2, True, "rejected", "", "key", id="a finding that both have"),
        pytest.param("accept", NO, UNKNOWN2, True, "rejected", "", "key", id="a finding nobody speaks against"),
        pytest.param("accept", NO, YES2, True, "undecided", "disagreement", "", id="proved opposites"),
        pytest.param("refute", YES, NO2, True, "undecided", "disagreement", "", id="proved opposites, the other way"),
        pytest.param(
            "accept", NO, open_("undefined"), True, "undecided", "undefined", "", id="the second finds no value"
        ),
        pytest.param(
            "accept",
            NO,
            open_(evaluated=True),
            True,
            "undecided",
            "disagreement",
            "",
            id="the second evaluates otherwise",
        ),
        pytest.param(
            "accept", NO, open_(evaluated=False), True, "rejected", "", "key", id="the second evaluates the same"
        ),
        pytest.param(
            "accept",
            open_(evaluated=True),
            NO2,
            True,
            "undecided",
            "disagreement",
            "",
            id="the first evaluates otherwise",
        ),
        pytest.param("accept", open_(evaluated=False), NO2, True, "rejected", "", "openjml", id="evaluation agrees"),
        pytest.param(
            "accept", open_(), UNKNOWN2, True, "undecided", "unknown", "", id="open to both: the first reason"
        ),
        pytest.param(
            "accept",
            open_(),
            open_("undefined"),
            True,
            "undecided",
            "undefined",
            "",
            id="open, then known to have no value",
        ),
    ],
)
def test_two_verifiers(
    expected: Polarity,
    first: Judgement,
    second: Judgement | None,
    asks_second: bool,
    verdict: str,
    reason: str,
    by: str,
) -> None:
    one = Scripted("key", {"q": first})
    two = Scripted("openjml", {"q": second} if second else {})
    told: list[int] = []
    judged = Chain([one, two]).judge(unit(question("q", expected)), Hooks(told.append))["q"]
    assert (judged.verdict, judged.reason, judged.decided_by) == (verdict, reason, by)
    assert two.asked == ([["q"]] if asks_second else [])
    assert sum(told) == 1


@pytest.mark.parametrize("answer", [YES, NO])
def test_a_one_sided_answer_is_not_put_to_others(answer: Judgement) -> None:
    """A guard's other side is never asked, so that nothing could be proved against it."""
    two = Scripted("openjml", {})
    chain = Chain([Scripted("key", {"q": answer}), two])
    assert chain.judge(unit(question("q", "refute", one_sided=True)), Hooks())["q"] == answer
    assert two.asked == []


def test_only_what_is_left_is_asked_with_its_scenes_in_order() -> None:
    answers = {"a": YES, "b": open_(), "c": NO, "d": YES, "e": open_("undefined")}
    two = Scripted("openjml", {"b": YES2, "c": NO2})
    questions = [question(id_, scene=f"s{id_}") for id_ in "abcde"]
    told: list[int] = []
    judged = Chain([Scripted("key", answers), two]).judge(unit(*questions), Hooks(told.append))
    assert list(judged) == list("abcde")
    assert (two.asked, two.scenes) == ([["b", "c"]], [["sb", "sc"]])
    assert sum(told) == 5


def test_an_answer_names_its_verifier_where_it_does_not_itself() -> None:
    chain = Chain([Scripted("key", {"q": open_()}), Scripted("openjml", {"q": Judgement("accepted")})])
    assert chain.judge(unit(question("q")), Hooks())["q"].decided_by == "openjml"


def test_what_evaluation_said_stays() -> None:
    chain = Chain([Scripted("key", {"q": open_(evaluated=True)}), Scripted("openjml", {"q": YES2})])
    assert chain.judge(unit(question("q")), Hooks())["q"].evaluated is True


def test_a_disagreement_names_both_and_what_they_say() -> None:
    chain = Chain([Scripted("key", {"q": NO}), Scripted("openjml", {"q": YES2}), Scripted("third", {})])
    assert chain.judge(unit(question("q")), Hooks())["q"].detail == (
        "key says that the clause rejects the outcome, openjml that it accepts it: "
        "one of them is wrong, please report it"
    )


def test_a_disagreement_with_evaluation_names_it() -> None:
    chain = Chain([Scripted("key", {"q": open_(evaluated=False)}), Scripted("openjml", {"q": YES2})])
    assert chain.judge(unit(question("q")), Hooks())["q"].detail == (
        "openjml says that the clause accepts the outcome, evaluation that it rejects it: "
        "one of them is wrong, please report it"
    )


def test_all_reasons_are_told_in_one_sentence() -> None:
    three = Scripted("third", {"q": Judgement("undecided", "crash")})
    chain = Chain([Scripted("key", {"q": open_()}), Scripted("openjml", {"q": UNKNOWN2}), three])
    judged = chain.judge(unit(question("q")), Hooks())["q"]
    assert (judged.reason, judged.detail) == ("unknown", "key: KeY proves neither; openjml: no time left; third: crash")


def test_a_finding_of_the_second_is_put_to_the_third() -> None:
    three = Scripted("third", {"q": Judgement("accepted", decided_by="third")})
    chain = Chain([Scripted("key", {"q": open_()}), Scripted("openjml", {"q": NO2}), three])
    assert chain.judge(unit(question("q")), Hooks())["q"].reason == "disagreement"


def test_what_is_not_installed_is_left_out_and_told() -> None:
    chain = Chain([Scripted("key", {}, problem="no java"), Scripted("openjml", {"q": YES2})])
    assert chain.judge(unit(question("q")), Hooks())["q"] == YES2
    assert chain.problems == ("no java",)
    assert [one.name for one in chain.infos()] == ["openjml"]
    assert chain.info().name == "openjml"


def test_what_fails_later_is_left_out_from_then_on() -> None:
    one = Scripted("key", {"q": open_()})
    two = Scripted("openjml", {}, late="its solver is missing")
    chain = Chain([one, two])
    for _ in range(2):
        assert chain.judge(unit(question("q")), Hooks())["q"] == open_()
    assert (len(one.asked), len(two.asked)) == (2, 1)
    assert chain.problems == ("its solver is missing",)
    assert [member.name for member in chain.infos()] == ["key"]


def test_the_second_takes_the_place_of_a_first_that_fails_later() -> None:
    told: list[int] = []
    chain = Chain([Scripted("key", {}, late="no jars"), Scripted("openjml", {"q": YES2, "r": NO2})])
    judged = chain.judge(unit(question("q"), question("r")), Hooks(told.append))
    assert (judged, sum(told)) == ({"q": YES2, "r": NO2}, 2)


@pytest.mark.parametrize("late", [False, True])
def test_with_none_that_works_the_first_problem_is_raised(late: bool) -> None:
    def broken(name: str, says: str) -> Scripted:
        return Scripted(name, {}, late=says) if late else Scripted(name, {}, problem=says)

    chain = Chain([broken("key", "no java"), broken("openjml", "openjml was not found")])
    for _ in range(2):
        with pytest.raises(VerifierProblem, match=r"^no java$"):
            chain.judge(unit(question("q")), Hooks())
    assert chain.problems == ("no java", "openjml was not found")


def test_no_verifier_at_all_is_a_problem() -> None:
    with pytest.raises(VerifierProblem, match="no verifier is chosen"):
        Chain([]).info()


def test_a_unit_without_questions() -> None:
    assert Chain([Scripted("key", {})]).judge(unit(), Hooks()) == {}
