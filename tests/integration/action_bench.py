"""Podman and act on this machine, set up so that the image and the action run as they would on GitHub.

No Docker engine and no registry is needed: the base image is made by debootstrap, with the CA certificates of this
machine, and stays in the folder of the bench (it is for this machine alone).
"""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

BASE = "docker.io/library/debian:bookworm-slim"
"""The name that an unmodified ``FROM debian:bookworm-slim`` is resolved to."""

PACKAGES = ("podman", "buildah", "runc", "debootstrap")
ACT = "github.com/nektos/act@latest"
GO_FOLDER = "/usr/local/go/bin"

_CONTAINERS_CONF = """[containers]
netns = "host"
default_ulimits = ["nofile=1024:1024", "nproc=4096:4096"]
[engine]
cgroup_manager = "cgroupfs"
runtime = "runc"
events_logger = "file"
"""
# crun does not work in a machine like this one; without a folder of its own the storage would be that of the user.
_STORAGE_CONF = """[storage]
driver = "overlay"
graphroot = "{folder}/storage"
runroot = "{folder}/run"
"""
_REGISTRIES_CONF = 'unqualified-search-registries = ["docker.io"]\nshort-name-mode = "permissive"\n'
# As the official image does it (docker-library/debian, slim variant): not a byte of documentation.
_SLIM = """path-exclude=/usr/share/doc/*
path-include=/usr/share/doc/*/copyright
path-exclude=/usr/share/man/*
path-exclude=/usr/share/info/*
path-exclude=/usr/share/lintian/*
path-exclude=/usr/share/locale/*
"""
_BUILD_SECONDS = 1500.0


class Bench:
    """Podman with its storage, and act, below ``folder``; nothing of the user's own podman is touched."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.socket = folder / "podman.sock"
        self.act_program = folder / "bin" / "act"

    def set_up(self) -> None:
        """Install what is missing and make the base image; quick when that is done already."""
        self.folder.mkdir(parents=True, exist_ok=True)
        if any(shutil.which(program) is None for program in PACKAGES):
            must(["apt-get", "update", "-q"])
            must(["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES])
        for name, text in (
            ("containers.conf", _CONTAINERS_CONF),
            ("storage.conf", _STORAGE_CONF.format(folder=self.folder)),
            ("registries.conf", _REGISTRIES_CONF),
            ("policy.json", '{"default": [{"type": "insecureAcceptAnything"}]}'),
            ("actrc", ""),
        ):
            (self.folder / name).write_text(text)
        if not self.act_program.exists():
            go = shutil.which("go", path=f"{os.environ['PATH']}{os.pathsep}{GO_FOLDER}")
            assert go is not None, "act is built with Go, which is not there"
            must([go, "install", ACT], {"GOBIN": str(self.act_program.parent)})
        if self.podman("image", "exists", BASE, check=False).returncode != 0:
            self._make_base()

    def tear_down(self) -> None:
        """Remove all images and containers, and the folder."""
        self.podman("rm", "--all", "--force")
        self.podman("rmi", "--all", "--force")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _make_base(self) -> None:
        root = self.folder / "rootfs"
        if not (root / "etc/debian_version").exists():
            must(["debootstrap", "--variant=minbase", "bookworm", str(root)])
        certificates = Path("/usr/local/share/ca-certificates")
        if certificates.is_dir():
            shutil.copytree(certificates, root / "usr/local/share/ca-certificates", dirs_exist_ok=True)
        bundle = root / "etc/ssl/certs/ca-certificates.crt"
        bundle.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy("/etc/ssl/certs/ca-certificates.crt", bundle)
        (root / "etc/dpkg/dpkg.cfg.d/docker").write_text(_SLIM)
        for path in ("usr/share/doc", "usr/share/man", "usr/share/info", "usr/share/locale", "usr/share/lintian"):
            for file in (root / path).rglob("*"):
                if file.name != "copyright" and (file.is_file() or file.is_symlink()):
                    file.unlink()
        for path in ("var/cache/apt/archives", "var/lib/apt/lists"):
            shutil.rmtree(root / path)
            (root / path).mkdir()
        with subprocess.Popen(["tar", "-C", str(root), "-c", "."], stdout=subprocess.PIPE) as tar:
            self.podman("import", "-", BASE, stdin=tar.stdout)
        assert tar.returncode == 0
        shutil.rmtree(root)

    def environment(self, variables: Mapping[str, str] | None = None) -> dict[str, str]:
        """What podman and act are started with."""
        return os.environ | {
            "CONTAINERS_CONF": str(self.folder / "containers.conf"),
            "CONTAINERS_STORAGE_CONF": str(self.folder / "storage.conf"),
            "CONTAINERS_REGISTRIES_CONF": str(self.folder / "registries.conf"),
            "TMPDIR": str(self.folder),
            **(variables or {}),
        }

    def podman(
        self, *arguments: str, check: bool = True, stdin: object = subprocess.DEVNULL, seconds: float = 600.0
    ) -> subprocess.CompletedProcess[str]:
        """Run podman to its end; with ``check`` the test fails when podman does."""
        done = subprocess.run(
            ["podman", *arguments],
            env=self.environment(),
            stdin=stdin,  # type: ignore[call-overload]
            capture_output=True,
            text=True,
            timeout=seconds,
        )
        assert not check or done.returncode == 0, f"podman {arguments}\n{done.stdout[-3000:]}\n{done.stderr[-6000:]}"
        return done

    def build(self, context: Path, tag: str, arguments: Mapping[str, str] | None = None, target: str = "") -> None:
        """Build the Dockerfile of ``context``."""
        more = [f"--build-arg={name}={value}" for name, value in (arguments or {}).items()]
        more += [f"--target={target}"] if target else []
        self.podman("build", "--pull=never", *more, "-t", tag, str(context), seconds=_BUILD_SECONDS)

    def size(self, tag: str) -> int:
        """Bytes of an image, with its base."""
        return int(self.podman("image", "inspect", "--format", "{{.Size}}", tag).stdout)

    @contextmanager
    def service(self) -> Iterator[str]:
        """Podman as a Docker engine; gives the address for DOCKER_HOST."""
        address = f"unix://{self.socket}"
        self.socket.unlink(missing_ok=True)
        with (self.folder / "service.log").open("w") as log:
            process = subprocess.Popen(
                ["podman", "system", "service", "--time=0", address], env=self.environment(), stdout=log, stderr=log
            )
            try:
                deadline = time.monotonic() + 30
                while not self.socket.exists():
                    assert process.poll() is None and time.monotonic() < deadline, "podman's service does not start"
                    time.sleep(0.05)
                yield address
            finally:
                process.terminate()
                process.wait(30)

    def act(self, repository: Path, arguments: Sequence[str], seconds: float) -> subprocess.CompletedProcess[str]:
        """Run act in a repository, with an empty configuration of its own."""
        home = self.folder / "home"
        (home / ".config/act").mkdir(parents=True, exist_ok=True)
        (home / ".config/act/actrc").write_text("")
        with self.service() as address:
            return subprocess.run(
                [str(self.act_program), *arguments],
                cwd=repository,
                env=self.environment(
                    {"DOCKER_HOST": address, "HOME": str(home), "XDG_CONFIG_HOME": str(home / ".config")}
                ),
                stdin=subprocess.DEVNULL,
                capture_output=True,
                text=True,
                timeout=seconds,
            )


def project_copy(folder: Path) -> Path:
    """The project in ``folder`` as somebody who clones it would have it, with what is not committed yet."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    for name in listed.stdout.decode().split("\0"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    return folder


def must(command: Sequence[str], variables: Mapping[str, str] | None = None, *, timeout: float = 900) -> str:
    """The output of a command that has to succeed."""
    done = subprocess.run(
        command,
        env=os.environ | (variables or {}),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=timeout,
    )
    assert done.returncode == 0, f"{command}\n{done.stdout}\n{done.stderr}"
    return done.stdout + done.stderr
