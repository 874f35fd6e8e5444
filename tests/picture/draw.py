"""Draws docs/summary.png: what a pull request that weakens contracts of examples/c gets. Run it with ./dev picture

All of it is real: git, Frama-C and ``clausefit ci`` make the texts, and a GitHub for tests takes the comment. Only the
look is ours: Markdown is rendered here, and Chromium draws it.
"""

from __future__ import annotations

import html
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/integration"))

from github_fake import REPOSITORY, TOKEN, GithubFake, Pull  # noqa: E402 - lies beside, and in no package
from markdown_it import MarkdownIt  # noqa: E402
from workflow_runs import Workflow  # noqa: E402

PICTURE = ROOT / "docs" / "summary.png"
MOST_BYTES = 200_000
WIDTH = 940
CHANGES = (
    ("src/stats.c", "ensures counted: 0 <= \\result <= count;", "ensures counted: 0 <= \\result;"),
    ("src/stats.c", "ensures range: \\result <= 100;", "ensures range: \\result < 100;"),
    (
        "src/window.c",
        "assigns window[0 .. size - 1];\n",
        "assigns window[size - 1];\n",
    ),
)
"""What the pull request changes: file, before, and what examples/c has."""
SHOWN = "CF201"
"""The finding whose comment is drawn."""
_CHROMIUM = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--disable-lcd-text",
)
_FENCE = re.compile(r'<pre><code class="language-suggestion">(.*?)</code></pre>', re.DOTALL)
_STYLE = """
body { margin: 0; padding: 20px 24px; width: 892px; background: #fff; color: #24292f;
       font: 14px/1.5 "DejaVu Sans", sans-serif; }
h2 { font-size: 20px; margin: 0 0 10px; padding-bottom: 6px; border-bottom: 1px solid #d5dae0; }
h3 { font-size: 16px; margin: 16px 0 8px; }
h4 { font-size: 14px; margin: 16px 0 6px; }
p, ul { margin: 6px 0; }
a { color: #1a5fb4; text-decoration: none; }
code, pre, .code { font: 12px/1.55 "DejaVu Sans Mono", monospace; }
code { background: #eff1f4; border-radius: 5px; padding: 2px 5px; }
pre { background: #f5f7f9; border-radius: 6px; padding: 9px 12px; margin: 6px 0; }
pre code { background: none; padding: 0; }
table { border-collapse: collapse; }
th, td { border: 1px solid #d5dae0; padding: 5px 10px; text-align: left; }
blockquote { margin: 6px 0; padding: 0 12px; border-left: 3px solid #d5dae0; color: #59636e; }
summary { font-weight: bold; margin: 4px 0; }
.label { color: #59636e; font-size: 12px; letter-spacing: .05em; text-transform: uppercase; margin: 0 0 8px; }
.box { border: 1px solid #d5dae0; border-radius: 7px; padding: 14px 18px; margin-bottom: 18px; }
.file { border: 1px solid #d5dae0; border-radius: 7px; overflow: hidden; }
.file > .name { background: #f5f7f9; padding: 8px 14px; border-bottom: 1px solid #d5dae0; }
.line { white-space: pre; padding: 1px 14px; }
.line i { display: inline-block; width: 36px; color: #848d97; font-style: normal; }
.added { background: #def7e4; } .gone { background: #fde3e1; }
.comment { border: 1px solid #d5dae0; border-radius: 7px; margin: 10px 14px 14px; padding: 10px 14px; }
.who { color: #59636e; margin-bottom: 4px; } .who b { color: #24292f; }
.change { border: 1px solid #d5dae0; border-radius: 6px; overflow: hidden; margin-top: 8px; }
.change > .name { padding: 5px 12px; border-bottom: 1px solid #d5dae0; color: #59636e; }
"""


@dataclass(frozen=True)
class Shown:
    """What a run gave: its summary, one comment as GitHub holds it, and the lines of the file that it stands in."""

    summary: str
    comment: dict[str, Any]
    lines: list[str]


def pull_request(folder: Path) -> Shown:
    """Run the action's command for a pull request that changes examples/c."""
    workflow = Workflow(folder, folder / "cache")
    example = ROOT / "examples/c"
    names = subprocess.run(["git", "ls-files"], cwd=example, check=True, capture_output=True, text=True).stdout.split()
    after = {name: (example / name).read_text() for name in names}
    before = dict(after)
    for name, old, new in CHANGES:
        if before[name].count(new) != 1:
            raise SystemExit(f"draw: examples/c/{name} does not hold once: {new}")
        before[name] = before[name].replace(new, old)
    base = workflow.commit(**before)
    workflow.work.git("checkout", "-q", "-b", "topic")
    head = workflow.commit(**after)
    with GithubFake() as github:
        files = []
        for name in sorted({name for name, _, _ in CHANGES}):
            patch = workflow.work.git("diff", base, head, "--", name)
            files.append({"filename": name, "status": "modified", "patch": patch[patch.index("@@") :]})
        github.add_pull(Pull(1, head, files))
        ran = workflow.run(
            "pull_request",
            workflow.pull(),
            INPUT_TOKEN=TOKEN,
            GITHUB_API_URL=github.url,
            GITHUB_REPOSITORY=REPOSITORY,
        )
        if ran.status != 1 or github.violations:
            raise SystemExit(f"draw: the run ended with {ran.status}\n{ran.out}{ran.err}{github.violations}")
        [comment] = [one for one in github.review_comments[1] if SHOWN in one["body"]]
    return Shown(workflow.summary, comment, after[comment["path"]].splitlines())


def page(shown: Shown) -> str:
    """The picture as HTML."""
    render = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render
    comment, line = shown.comment, shown.comment["line"]
    start = comment.get("start_line") or line
    body = _FENCE.sub(lambda found: _suggested(shown.lines[start - 1 : line], found[1]), render(comment["body"]))
    rows = "".join(
        _row("added" if start <= number <= line else "", number, shown.lines[number - 1])
        for number in range(max(start - 3, 1), line + 1)
    )
    return (
        f'<!doctype html><meta charset="utf-8"><title>-</title><style>{_STYLE}</style>'
        f'<p class="label">Summary of the job</p><div class="box">{render(shown.summary)}</div>'
        f'<p class="label">In the review</p><div class="file">'
        f'<div class="name code">{html.escape(comment["path"])}</div>'
        f'<div class="code">{rows}</div>'
        f'<div class="comment"><div class="who"><b>github-actions</b> bot</div>{body}</div></div>'
    )


def _suggested(old: list[str], new: str) -> str:
    """A suggestion as GitHub shows it: the lines that it takes away, and those that it puts there."""
    gone = "".join(f'<div class="line gone">- {html.escape(line)}</div>' for line in old)
    added = "".join(f'<div class="line added">+ {line}</div>' for line in new.rstrip("\n").split("\n"))
    return f'<div class="change"><div class="name">Suggested change</div><div class="code">{gone}{added}</div></div>'


def _row(kind: str, number: int, text: str) -> str:
    return f'<div class="line {kind}"><i>{number}</i>{"+" if kind else " "} {html.escape(text)}</div>'


def draw(text: str, target: Path, folder: Path) -> None:
    """Write the page as PNG, as high as it is."""
    program = _program("chromium", "chromium-browser", "google-chrome")
    source = folder / "page.html"
    measure = "<script>document.title = document.body.getBoundingClientRect().height</script>"
    source.write_text(text + measure, encoding="utf-8")
    command = [program, *_CHROMIUM, f"--user-data-dir={folder / 'chromium'}"]
    dumped = _ran([*command, f"--window-size={WIDTH},800", "--dump-dom", source.as_uri()])
    found = re.search(r"<title>([\d.]+)</title>", dumped)
    if found is None:
        raise SystemExit("draw: chromium did not say how high the page is")
    target.parent.mkdir(exist_ok=True)
    height = int(float(found[1])) + 1
    drawn = folder / "drawn.png"
    _ran([*command, f"--window-size={WIDTH},{height}", f"--screenshot={drawn}", source.as_uri()])
    # Letters have few colours: with a palette the file is a third as large, and looks the same.
    _ran([_program("pngquant"), "--force", "--nofs", "--strip", f"--output={target}", "64", str(drawn)])
    if target.stat().st_size > MOST_BYTES:
        raise SystemExit(f"draw: {target} has {target.stat().st_size} bytes, more than {MOST_BYTES}")


def _program(*names: str) -> str:
    for name in names:
        found = shutil.which(name)
        if found is not None:
            return found
    raise SystemExit(f"draw: {names[0]} is not there: apt-get install chromium fonts-dejavu-core pngquant")


def _ran(command: list[str]) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout


def main() -> None:
    """Run, and draw."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        draw(page(pull_request(folder)), PICTURE, folder)
    print(f"{PICTURE.relative_to(ROOT)}: {PICTURE.stat().st_size} bytes")


if __name__ == "__main__":
    main()
