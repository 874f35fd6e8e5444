"""The image and the action as they are shipped: built by podman, run by act. Run it with ./dev test -m image

It takes some minutes, and root. CLAUSEFIT_BENCH names a folder that keeps the base image and the layers between runs.
"""

from __future__ import annotations

import hashlib
import http.server
import io
import json
import re
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from action_bench import BASE, Bench
from running import Repository

pytestmark = pytest.mark.image

MOST_MEGABYTES = 700
"""A size that somebody would have noticed: the README names the real one."""

EVERYWHERE = ("--rm", "--network=none", "--read-only", "--tmpfs=/tmp", "--env=HOME=/github/home")
AS_ANYONE = (*EVERYWHERE, "--user=1000:1000")
USERS = [pytest.param(EVERYWHERE, id="root"), pytest.param(AS_ANYONE, id="uid-1000")]


def shell(bench: Bench, image: str, script: str) -> list[str]:
    """The lines that a script prints in a container of the image."""
    done = bench.podman("run", "--rm", "--network=none", "--entrypoint=/bin/sh", image, "-c", script)
    return done.stdout.splitlines()


def test_the_size_is_told_and_has_a_limit(bench: Bench, image: str, capsys: pytest.CaptureFixture[str]) -> None:
    size, base = bench.size(image) / 1e6, bench.size(BASE) / 1e6
    with capsys.disabled():
        print(f"\nclausefit's image: {size:.0f} MB, of which its base {base:.0f} MB")
    assert size < MOST_MEGABYTES


@pytest.mark.parametrize("options", USERS)
def test_doctor_finds_nothing_amiss(bench: Bench, image: str, options: tuple[str, ...]) -> None:
    done = bench.podman("run", *options, image, "doctor", check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    states = {line.split()[0] for line in done.stdout.splitlines() if line and not line.startswith((" ", "Ready"))}
    # A warning is about recording, which needs the right to trace and a whole JDK; a note is OpenJML.
    assert states <= {"ok", "warn", "note"}, done.stdout
    assert "Ready to judge contracts in C and Java." in done.stdout
    assert re.search(r"^ok +wp +proves with cvc4, z3$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^ok +key +proves", done.stdout, re.MULTILINE), done.stdout


@pytest.mark.parametrize("options", USERS)
@pytest.mark.parametrize(
    ("example", "expected"),
    [
        pytest.param("c", {("count_above", "CF101"), ("percent", "CF201"), ("window_push", "CF203")}, id="C"),
        pytest.param(
            "java",
            {
                ("Account.startMonth()", "CF103"),
                ("Station.emptyBoxes()", "CF101"),
                ("Tariff.reduced(int, int)", "CF202"),
            },
            id="Java",
        ),
    ],
)
def test_the_examples_are_judged_without_network_and_home(
    bench: Bench, image: str, shipped: Path, options: tuple[str, ...], example: str, expected: set[tuple[str, str]]
) -> None:
    workspace = shipped / "examples" / example
    done = bench.podman(
        "run", *options, f"--volume={workspace}:/src:ro", image, "check", "--all", "--format", "json", check=False
    )
    assert done.returncode == 1, done.stdout + done.stderr
    report = json.loads(done.stdout)
    assert {(one["function"], one["code"]) for one in report["findings"]} == expected
    assert report["not_checked"] == []
    assert done.stderr == ""


def test_java_starts_from_the_archive_of_classes(bench: Bench, image: str) -> None:
    # -Xshare:on ends Java where an archive that is named does not fit this Java or these jars.
    script = (
        "import subprocess, sys; from clausefit.verifiers import key_tools;"
        "found = key_tools.install(); assert found.archive is not None;"
        "sys.exit(subprocess.run(found.command(512, ['-Xshare:on']), input=b'').returncode)"
    )
    bench.podman("run", *AS_ANYONE, "--entrypoint=/opt/clausefit/venv/bin/python", image, "-c", script)


def test_git_works_in_a_repository_of_somebody_else(bench: Bench, image: str, tmp_path: Path) -> None:
    repository = Repository(tmp_path / "r", tmp_path / "cache")
    commit = repository.commit(**{"a.txt": "a"})
    done = bench.podman(
        "run", *AS_ANYONE, f"--volume={repository.folder}:/src:ro", "--entrypoint=git", image, "rev-parse", "HEAD"
    )
    assert done.stdout.strip() == commit


@pytest.mark.parametrize(
    "script",
    [
        pytest.param("find /var/lib/apt/lists /var/cache /var/log -type f", id="apt"),
        pytest.param("find / -xdev -path '*/.m2/*' -o -path '*/.cache/*' -o -name '*.whl'", id="maven-and-pip"),
        pytest.param("ls -A /root /home /src /tmp | grep -v -e : -e '^$' -e '^.bashrc$' -e '^.profile$'", id="homes"),
        pytest.param("find /usr/share/doc -type f -not -name copyright", id="documentation"),
        pytest.param("find /usr/share/man /usr/share/info /usr/share/locale -type f", id="manuals"),
        pytest.param("command -v mvn javac ocaml pip pip3 curl perl5.36", id="tools-of-the-build"),
    ],
)
def test_nothing_is_left_that_only_the_build_needs(bench: Bench, image: str, script: str) -> None:
    assert shell(bench, image, f"{script} || true") == []


def test_all_of_it_belongs_to_root_and_is_read_by_everyone(bench: Bench, image: str) -> None:
    places = "/opt /usr /etc/gitconfig"
    wrong = f"find {places} -xdev -not -type l \\( -not -user root -o -perm /022 \\) -not -group staff -not -group mail"
    assert shell(bench, image, wrong) == []
    assert shell(bench, image, "find /opt -not -perm -004") == []


def test_no_secret_is_in_the_image(bench: Bench, image: str) -> None:
    # With what follows: libraries that read keys know their first lines.
    keys = "grep -rlzE 'BEGIN ([A-Z]+ )?PRIVATE KEY-----[[:space:]]+[A-Za-z0-9+/]{20}' /etc /root /home /opt/clausefit"
    assert shell(bench, image, f"{keys} || true") == []
    described: list[dict[str, Any]] = json.loads(bench.podman("image", "inspect", image).stdout)
    told = json.dumps([described[0]["Config"], described[0]["History"]]).lower()
    assert not re.findall(r"token|password|secret|https?://[^/\s]*@", told)


OPENJML = "#!/bin/sh\necho 'OpenJML 21-0.8'\n"


@contextmanager
def served(content: bytes) -> Iterator[str]:
    """The address of a file with this content."""

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=partial(server.serve_forever, 0.05))
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/openjml.zip"
        finally:
            server.shutdown()
            thread.join()


def archive_of_openjml() -> bytes:
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        entry = zipfile.ZipInfo("openjml")
        entry.external_attr = 0o100755 << 16
        entry.create_system = 3
        archive.writestr(entry, OPENJML)
    return content.getvalue()


def test_openjml_comes_by_address_and_checksum(bench: Bench, image: str, shipped: Path) -> None:
    content = archive_of_openjml()
    with served(content) as address:
        checksum = hashlib.sha256(content).hexdigest()
        bench.build(shipped, f"{image}-openjml", {"OPENJML_URL": address, "OPENJML_SHA256": checksum})
    done = bench.podman("run", *AS_ANYONE, f"{image}-openjml", "doctor")
    assert re.search(r"^ok +openjml +21-0\.8 \(/opt/clausefit/openjml/openjml\)$", done.stdout, re.MULTILINE), (
        done.stdout
    )


@pytest.mark.parametrize(
    ("checksum", "says"),
    [
        pytest.param({}, "OPENJML_SHA256: is missing", id="without-a-checksum"),
        pytest.param({"OPENJML_SHA256": "0" * 64}, "FAILED", id="another-archive"),
        pytest.param({"OPENJML_SHA256": "abc"}, "no properly formatted", id="no-checksum"),
    ],
)
def test_an_archive_that_is_not_the_named_one_is_not_unpacked(
    bench: Bench, image: str, shipped: Path, checksum: dict[str, str], says: str
) -> None:
    with served(archive_of_openjml()) as address, pytest.raises(AssertionError, match=says):
        bench.build(shipped, f"{image}-refused", {"OPENJML_URL": address, **checksum}, target="openjml")
