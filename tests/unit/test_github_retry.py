"""When a request is sent again."""

import io

import pytest
from clausefit.ci.github_retry import Pace, Retries
from clausefit.ci.host import HostProblem
from urllib3 import HTTPResponse

PACE = Pace(patience=90, rate_wait=60, backoff=1)
AGAIN = [
    pytest.param("GET", 502, True, id="an error of the server, reading"),
    pytest.param("PATCH", 502, True, id="an error of the server, saying again what is to be"),
    pytest.param("POST", 502, False, id="making something: it may have been made"),
    pytest.param("POST", 429, True, id="making something that was refused for now"),
    pytest.param("POST", 403, True, id="looked at: it may be a rate limit"),
    pytest.param("GET", 404, False, id="not there"),
    pytest.param("GET", 422, False, id="refused for good"),
    pytest.param("GET", 401, False, id="not who we say"),
]


@pytest.mark.parametrize(("method", "status", "expected"), AGAIN)
def test_which_answers_are_asked_for_again(method: str, status: int, expected: bool) -> None:
    retries = Retries.at(PACE, frozenset({"GET", "PATCH"}))
    assert retries.is_retry(method, status) is expected
    exhausted = retries.new(total=0)
    assert exhausted.is_retry(method, 429) is False


def answer(status: int, headers: dict[str, str] | None = None, body: bytes = b"{}") -> HTTPResponse:
    return HTTPResponse(io.BytesIO(body), headers=headers or {}, status=status, preload_content=False)


WAITS = [
    pytest.param(429, {"Retry-After": "7"}, 7, id="as long as GitHub says"),
    pytest.param(429, {}, 60, id="a rate limit that names no time"),
    pytest.param(429, {"Retry-After": "soon"}, 60, id="a time that is none"),
    pytest.param(429, {"Retry-After": "9" * 5000}, 60, id="a time beyond numbers"),
    pytest.param(502, {}, None, id="an error of the server: urllib3's own pause"),
]


@pytest.mark.parametrize(("status", "headers", "expected"), WAITS)
def test_wait(status: int, headers: dict[str, str], expected: float | None) -> None:
    assert Retries.at(PACE, frozenset({"GET"})).get_retry_after(answer(status, headers)) == expected


TOO_LONG = [
    pytest.param(answer(429, {"Retry-After": "91"}), id="Retry-After"),
    pytest.param(answer(403, {"Retry-After": "3600"}), id="Retry-After of a 403"),
    pytest.param(
        answer(403, {"X-RateLimit-Reset": "99999999999"}, b'{"message": "API rate limit exceeded for 1.2.3.4"}'),
        id="the hour's limit is used up",
    ),
]


@pytest.mark.parametrize("refusal", TOO_LONG)
def test_wait_that_is_too_long_is_a_problem_at_once(refusal: HTTPResponse) -> None:
    with pytest.raises(HostProblem, match="too long") as caught:
        Retries.at(PACE, frozenset({"GET"})).increment("GET", "/user", refusal)
    assert caught.value.status == 429


def test_attempts_keep_their_class_and_pace() -> None:
    retries = Retries.at(PACE, frozenset({"GET"}))
    following = retries.increment("GET", "/user", answer(502))
    assert type(following) is type(retries)
    assert following.pace == PACE
