"""A secret is in no text, in whatever form a server sends it back."""

from __future__ import annotations

import base64

import pytest
from clausefit.ci.masking import masked

TOKEN = "ghs_" + "t0kenT0KEN" * 4


def encoded(text: str, *, url: bool = False) -> str:
    return (base64.urlsafe_b64encode if url else base64.b64encode)(text.encode()).decode()


ECHOES = [
    pytest.param(f"bad token {TOKEN}", id="as it is"),
    pytest.param(f"{TOKEN[:20]}; {TOKEN[20:]}", id="split in two"),
    pytest.param(encoded(TOKEN), id="Base64"),
    pytest.param(encoded(f"x-access-token:{TOKEN}"), id="as git sends it"),
    pytest.param(encoded(f"x{TOKEN}y"), id="one character before it"),
    pytest.param(encoded(f"xy{TOKEN}yz"), id="two before it"),
    pytest.param(encoded(TOKEN, url=True), id="Base64 for addresses"),
    pytest.param(f"{encoded(TOKEN)[:30]} {encoded(TOKEN)[30:]}", id="Base64 split"),
]


@pytest.mark.parametrize("text", ECHOES)
def test_no_part_of_a_secret_is_left(text: str) -> None:
    shown = masked(f"before {text} after", TOKEN)
    assert shown.startswith("before ") and shown.endswith(" after") and "***" in shown
    forms = [TOKEN, *(encoded("x" * before + TOKEN + "yy") for before in range(3))]
    parts = {form[at : at + 9] for form in forms for at in range(4, len(form) - 12)}
    assert not [part for part in parts if part in shown], shown


LEFT = [
    pytest.param("Resource not accessible by integration", TOKEN, id="other text"),
    pytest.param("ghs_ t0ken", TOKEN, id="words that a token shares"),
    pytest.param("anything", "", id="no secret"),
    pytest.param("eHh4 and e", "x", id="Base64 of a short secret is no more than letters"),
]


@pytest.mark.parametrize(("text", "secret"), LEFT)
def test_other_text_is_left(text: str, secret: str) -> None:
    assert masked(text, secret) == text


def test_a_short_secret_goes_as_a_whole() -> None:
    assert masked("a s3cr b", "s3cr") == "a *** b"
