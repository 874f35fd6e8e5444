"""When a request to GitHub is sent again, and after how long: PyGithub's rules, with what they leave open decided.

PyGithub's ``GithubRetry`` knows GitHub's two rate limits and reads Retry-After. Beside that:

- A POST makes something. It is sent again only where GitHub has refused it (403 and 429 for a rate limit), never after
  a 5xx or a lost answer: it may have been carried out, and the same comment would be there twice. Who posts looks.
- A PATCH of a comment says what is to be, so it is as good to repeat as a GET; one that adds annotations is a POST.
- 429 is a rate limit even without Retry-After (GitHub's "Rate limits for the REST API": wait at least a minute then).
- No wait is longer than ``patience``: a job that sleeps costs its user money, and the log has the findings already.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import TracebackType
from typing import Self

from clausefit.ci.host import HostProblem
from github import GithubRetry
from urllib3 import BaseHTTPResponse
from urllib3.connectionpool import ConnectionPool
from urllib3.exceptions import InvalidHeader

_RATE_LIMIT = 429


@dataclass(frozen=True)
class Pace:
    """How long is waited, in seconds.

    ``patience`` is the longest wait that is accepted, ``rate_wait`` the wait for a rate limit that names none,
    ``backoff`` the first one after an error of the server (it doubles), ``timeout`` that for an answer;
    ``between_requests`` and ``between_writes`` keep us below the secondary rate limit.
    """

    patience: float = 90.0
    rate_wait: float = 60.0
    backoff: float = 1.0
    timeout: int = 20
    between_requests: float = 0.05
    between_writes: float = 1.0
    attempts: int = 4


class Retries(GithubRetry):
    """The rules of this module as urllib3 asks for them."""

    pace = Pace()

    @classmethod
    def at(cls, pace: Pace, repeated: frozenset[str]) -> Self:
        """Retries with the times of ``pace``; ``repeated`` are the methods that may be carried out twice."""
        # urllib3 makes a new object for each attempt, of the same class: the pace is the class's.
        paced: type[Self] = type("PacedRetries", (cls,), {"pace": pace})
        return paced(
            total=pace.attempts - 1,
            backoff_factor=pace.backoff,
            secondary_rate_wait=pace.rate_wait,
            allowed_methods=repeated,
        )

    def is_retry(self, method: str, status_code: int, has_retry_after: bool = False) -> bool:
        """Whether the answer lets the request be sent again."""
        if status_code in (403, _RATE_LIMIT):
            return bool(self.total)
        return super().is_retry(method, status_code, has_retry_after)

    def get_retry_after(self, response: BaseHTTPResponse) -> float | None:
        """The seconds that the answer asks to wait, None where it asks for none."""
        try:
            seconds = super().get_retry_after(response)
        except (InvalidHeader, ValueError, OverflowError):
            return self.pace.rate_wait
        return self.pace.rate_wait if seconds is None and response.status == _RATE_LIMIT else seconds

    def increment(
        self,
        method: str | None = None,
        url: str | None = None,
        response: BaseHTTPResponse | None = None,
        error: Exception | None = None,
        _pool: ConnectionPool | None = None,
        _stacktrace: TracebackType | None = None,
    ) -> Self:
        """The next attempt. Raises HostProblem where it would come too late, and what urllib3 and PyGithub raise."""
        retry: Self = super().increment(method, url, response, error, _pool, _stacktrace)  # type: ignore[assignment, arg-type]
        wait = retry.get_backoff_time()
        if response is not None:
            wait = max(wait, self.get_retry_after(response) or 0.0)
        if wait > self.pace.patience:
            raise HostProblem(f"GitHub asks to wait {wait:.0f} seconds (rate limit), which is too long", _RATE_LIMIT)
        return retry
