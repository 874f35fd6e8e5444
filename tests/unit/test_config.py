"""Settings: what is accepted, and what the one line says when something is not."""

from dataclasses import fields, replace
from pathlib import Path

import pytest
from clausefit.hook.config import FILE_NAME, Config, ConfigProblem, load, parse
from clausefit.hook.globs import matches
from clausefit.hook.record.settings import RecordSettings
from clausefit.hook.record.watched import RecordLimits

FULL = b"""
sources: ["src/**/*.c", include/]
exclude: [src/vendor/]
tests: [check_*.c]
include_dirs: [include]
defines: [NDEBUG, "N=10", "M(x, ...)=x"]
compile_commands: build/compile_commands.json
junit: ["build/*.xml"]
pins: 3
mutants: 4
timeout: 2.5
run_timeout: 60
memory_mb: 1024
jobs: 2
array_limit: 16
fail_on: error
changed_with: [contracts, code]
ignore: [CF105]
cache: no
cache_mb: 8
provers: [cvc4, "z3:4.8.12"]
machdep: x86_64
verifiers: [openjml, key]
openjml: /opt/openjml
key_jars: third-party/key
nonnull_by_default: false
record:
  commands:
    - ctest --test-dir build -R 'a b'
    - [mvn, -q, test]
  exclude: ["*_secret", "Box.find(int[], int[])"]
  exclude_parameters: ["login.password", "*.token"]
  limits: {distinct_calls: 5, hits: 50, depth: 2, elements: 8, text: 16, slowdown: 0.5, call_seconds: 3}
"""


def test_every_setting() -> None:
    config = parse(FULL)
    assert config == Config(
        sources=("src/**/*.c", "include/"),
        exclude=("src/vendor/",),
        tests=("check_*.c",),
        include_dirs=("include",),
        defines=("NDEBUG", "N=10", "M(x, ...)=x"),
        compile_commands="build/compile_commands.json",
        junit=("build/*.xml",),
        pins=3,
        mutants=4,
        timeout=2.5,
        run_timeout=60,
        memory_mb=1024,
        jobs=2,
        array_limit=16,
        fail_on="error",
        changed_with=("contracts", "code"),
        ignore=("CF105",),
        cache=False,
        cache_mb=8,
        provers=("cvc4", "z3:4.8.12"),
        machdep="x86_64",
        verifiers=("openjml", "key"),
        openjml="/opt/openjml",
        key_jars="third-party/key",
        nonnull_by_default=False,
        record=RecordSettings(
            (("ctest", "--test-dir", "build", "-R", "a b"), ("mvn", "-q", "test")),
            ("*_secret", "Box.find(int[], int[])"),
            ("login.password", "*.token"),
            RecordLimits(5, 50, 2, 8, 16, 0.5, 3),
        ),
    )
    assert replace(config, jobs=7).jobs == 7


@pytest.mark.parametrize(
    "content",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"# nothing\n---\n", id="comment"),
        pytest.param(b"{}\n", id="no keys"),
        pytest.param(b"\xef\xbb\xbf# a byte order mark\n", id="byte order mark"),
    ],
)
def test_defaults(content: bytes) -> None:
    config = parse(content)
    assert config == Config() and config.jobs >= 1


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        pytest.param(b"pins: 5\nmutant: 5\n", 2, "unknown key 'mutant'; did you mean 'mutants'?", id="misspelt key"),
        pytest.param(b"zzzz: 5\n", 1, "unknown key 'zzzz'", id="nothing near"),
        pytest.param(b"pins: 5\n\npins: 6\n", 3, "twice", id="key twice"),
        pytest.param(b"? [a]\n: 1\n", 1, "unknown key", id="key is a list"),
        pytest.param(b"<<: {pins: 1}\n", 1, "unknown key '<<'", id="merge key"),
        pytest.param(b"- pins\n", 1, "expected settings", id="a list"),
        pytest.param(b"pins\n", 1, "expected settings", id="a word"),
        pytest.param(b"pins: many\n", 1, "expected a whole number, found 'many'", id="text for a number"),
        pytest.param(b"pins: 1.5\n", 1, "expected a whole number", id="fraction"),
        pytest.param(b"pins: '5'\n", 1, "expected a whole number", id="quoted number"),
        pytest.param(b"pins: true\n", 1, "expected a whole number", id="truth for a number"),
        pytest.param(b"pins: 0\n", 1, "expected 1 to 100, found '0'", id="too small"),
        pytest.param(b"pins: 101\n", 1, "expected 1 to 100", id="too large"),
        pytest.param(b"pins: " + b"9" * 9000 + b"\n", 1, "expected", id="far too large"),
        pytest.param(b"timeout: .nan\n", 1, "expected 0.1 to 3600", id="not a number"),
        pytest.param(b"timeout: .inf\n", 1, "expected 0.1 to 3600", id="infinite"),
        pytest.param(b"timeout: 5s\n", 1, "expected a number", id="unit"),
        pytest.param(b"cache: 1\n", 1, "expected true or false", id="number for truth"),
        pytest.param(b"sources: '*.c'\n", 1, "expected a list, found '*.c'", id="text for a list"),
        pytest.param(b"sources:\n", 1, "expected a list, found nothing", id="nothing for a list"),
        pytest.param(b"sources:\n  - a.c\n  - [b.c]\n", 3, "expected a text, found a list", id="list in a list"),
        pytest.param(b"sources:\n  - a.c\n  - 5\n", 3, "expected a text", id="number in a list"),
        pytest.param(b"sources: ['']\n", 1, "is empty", id="empty text"),
        pytest.param(b'sources: ["a\\nb"]\n', 1, "control character", id="newline"),
        pytest.param(b"fail_on: warn\n", 1, "did you mean 'warning'?", id="near choice"),
        pytest.param(b"changed_with: [test]\n", 1, "did you mean 'tests'?", id="near choice in a list"),
        pytest.param(b"ignore:\n- CF101\n- CF1O2\n", 3, "is no rule code; did you mean 'CF1", id="code"),
        pytest.param(b"include_dirs: [/etc]\n", 1, "is not below the workspace", id="absolute folder"),
        pytest.param(b"include_dirs: [a/../../b]\n", 1, "is not below the workspace", id="folder above"),
        pytest.param(b"include_dirs: ['-I/etc']\n", 1, "starts with a dash", id="option as folder"),
        pytest.param(b"compile_commands: ~/x\n", 1, "is not below the workspace", id="home"),
        pytest.param(b"defines: ['-DX']\n", 1, "is not NAME or NAME=value", id="option as define"),
        pytest.param(b"provers: ['--help']\n", 1, "is not the name of a prover", id="option as prover"),
        pytest.param(b"machdep: ../x\n", 1, "is not the name of a machine", id="path as machdep"),
        pytest.param(b'include_dirs: ["n\\n"]\n', 1, "has a control character", id="a new line in a folder's name"),
        pytest.param(b"verifiers: [kay]\n", 1, "is none of key, openjml; did you mean 'key'?", id="no verifier"),
        pytest.param(b"verifiers: key\n", 1, "expected a list, found 'key'", id="verifier that is no list"),
        pytest.param(b"verifiers: []\n", 1, "expected at least one of key, openjml", id="no verifier at all"),
        pytest.param(b"openjml: tools/openjml\n", 1, "is not an absolute path", id="openjml of the workspace"),
        pytest.param(b"openjml: /opt/../w/x\n", 1, "has a part '..'", id="openjml by a detour"),
        pytest.param(b"openjml: '-version'\n", 1, "is not an absolute path", id="option as openjml"),
        pytest.param(b"openjml: ~someone/x\n", 1, "is not an absolute path", id="home of another"),
        pytest.param(b"key_jars: ../jars\n", 1, "is not below the workspace", id="jars above"),
        pytest.param(b"key_jars: /opt/../jars\n", 1, "has a part '..'", id="jars by a detour"),
        pytest.param(b"key_jars: ''\n", 1, "is empty", id="empty path"),
        pytest.param(b"nonnull_by_default: nullable\n", 1, "expected true or false", id="word for truth"),
        pytest.param(b"record: make test\n", 1, "record: expected a list of commands or a mapping", id="one command"),
        pytest.param(b"record:\n", 1, "record: expected a list of commands or a mapping", id="no command"),
        pytest.param(b"record: [a, -b]\n", 1, "starts with a dash, so it is no command", id="arguments as commands"),
        pytest.param(b"record: [make && ctest]\n", 1, "has a `&&`, but no shell runs it", id="shell operator"),
        pytest.param(b'record: ["ctest \'a"]\n', 1, "no closing quotation", id="open quote"),
        pytest.param(b"record: ['']\n", 1, "is empty", id="empty command"),
        pytest.param(b"record: [[]]\n", 1, "a command is empty", id="empty list as command"),
        pytest.param(b"record: ['  ']\n", 1, "a command is empty", id="blank command"),
        pytest.param(b"record: [[sh, 5]]\n", 1, "expected a text, found '5'", id="number as argument"),
        pytest.param(b"record: [{a: b}]\n", 1, "expected a text, found a mapping", id="mapping as command"),
        pytest.param(
            b"record:\n  command: [a]\n",
            2,
            "record: unknown key 'command'; did you mean 'commands'?",
            id="misspelt key of record",
        ),
        pytest.param(b"record:\n  commands: a\n", 2, "record: commands: expected a list of", id="commands as a text"),
        pytest.param(b"record: {exclude: [a], exclude: [b]}\n", 1, "the key 'exclude' is there twice", id="key twice"),
        pytest.param(
            b"record:\n  exclude_parameters:\n  - password\n",
            3,
            "is not `function.parameter`",
            id="parameter without its function",
        ),
        pytest.param(
            b"record:\n  limits:\n    hit: 5\n",
            3,
            "record: limits: unknown key 'hit'; did you mean 'hits'?",
            id="misspelt limit",
        ),
        pytest.param(b"record: {limits: {depth: 99}}\n", 1, "limits: depth: expected 0 to 32", id="limit too large"),
        pytest.param(b"record: {limits: {slowdown: .nan}}\n", 1, "expected 0 to 100", id="limit that is no number"),
        pytest.param(b"record: {limits: 5}\n", 1, "limits: expected a mapping, found '5'", id="limits as a number"),
        pytest.param(b"pins: !!python/object/apply:os.system [id]\n", 1, "expected a whole number", id="python tag"),
        pytest.param(b"machdep: !!python/name:os.system x\n", 1, "expected a text", id="python tag on a scalar"),
        pytest.param(b"pins: [1\nmutants: 2\n", 2, "not YAML", id="open bracket"),
        pytest.param(b"pins: *none\n", 1, "not YAML", id="undefined alias"),
        pytest.param(b"\tpins: 1\n", 1, "not YAML", id="tab"),
        pytest.param(b"pins: 1\n---\npins: 2\n", 2, "not YAML", id="two documents"),
    ],
)
def test_one_line_with_the_place(content: bytes, line: int, words: str) -> None:
    with pytest.raises(ConfigProblem) as caught:
        parse(content)
    message = str(caught.value)
    assert message.startswith(f"{FILE_NAME}:{line}: ") and words in message
    assert len(message.splitlines()) == 1 and len(message) < 400 and message.isprintable()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        pytest.param(b"pins: \xff\n", "not UTF-8", id="bytes"),
        pytest.param(b"pins: \x00\n", "not YAML", id="null character"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="deep nesting"),
        pytest.param(b"#" * 300_000, "more than 256 KiB", id="huge"),
    ],
)
def test_hostile_files(content: bytes, words: str) -> None:
    with pytest.raises(ConfigProblem, match=words) as caught:
        parse(content)
    assert len(str(caught.value).splitlines()) == 1


def test_a_bomb_of_aliases_is_harmless() -> None:
    """Written out, each has 9 to the 29th elements."""
    lines = ["sources: &a0 [x, x, x, x, x, x, x, x, x]"]
    lines += [f"exclude{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(ConfigProblem, match="unknown key"):
        parse("\n".join(lines).encode())
    nested = ["ignore:", "- &b0 [x]"] + [f"- &b{n} [{', '.join([f'*b{n - 1}'] * 9)}]" for n in range(1, 30)]
    with pytest.raises(ConfigProblem, match="expected a text, found a list"):
        parse("\n".join(nested).encode())


def test_an_alias_of_a_value_is_that_value() -> None:
    assert parse(b"pins: &n 7\nmutants: *n\n").mutants == 7


def test_load(tmp_path: Path) -> None:
    assert load(tmp_path) == Config()
    (tmp_path / FILE_NAME).write_bytes(b"pins: 2\n")
    assert load(tmp_path).pins == 2


@pytest.mark.parametrize(
    "git", [None, "w/.git/", "top/.git/", "w/.git top/.git/"], ids=["no git", "the top", "a folder", "a submodule"]
)
@pytest.mark.parametrize("named", ["{w}/tools/openjml", "{out}/link", "{w}/leads-out", "{w}/leads-out/x"])
def test_openjml_is_never_run_from_the_workspace(git: str | None, named: str, tmp_path: Path) -> None:
    """A pull request could bring a program of that name along, in any folder of its repository."""
    top = tmp_path / "top"
    workspace = top / "w"
    (workspace / "tools" / "openjml").mkdir(parents=True)
    for one in (git or "").split():
        path = tmp_path / one if one.startswith("top") else top / one
        if one.endswith("/"):
            path.mkdir()
        else:
            path.write_text("gitdir: ../.git/modules/w\n")
    whole = top if git is not None and "top" in git else workspace
    (whole / "tools" / "openjml").mkdir(parents=True, exist_ok=True)
    (tmp_path / "link").symlink_to(whole / "tools" / "openjml")
    (whole / "leads-out").symlink_to("/usr/bin")
    text = named.format(w=whole, out=tmp_path)
    (workspace / FILE_NAME).write_text(f"openjml: {text}\n")
    with pytest.raises(ConfigProblem, match="is in the workspace"):
        load(workspace)
    (workspace / FILE_NAME).write_text(f"openjml: {tmp_path}/elsewhere\n")
    assert load(workspace).openjml == f"{tmp_path}/elsewhere"


def test_the_home_folder_may_be_written_short(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HOME", "/home/someone")
    config = parse(b"openjml: ~/openjml\nkey_jars: ~/key/jars\n")
    assert (config.openjml, config.key_jars) == ("/home/someone/openjml", "/home/someone/key/jars")


def test_a_link_out_of_the_workspace_is_refused(tmp_path: Path) -> None:
    (tmp_path / "w").mkdir()
    (tmp_path / "secret").write_text("password: x\n")
    (tmp_path / "w" / FILE_NAME).symlink_to(tmp_path / "secret")
    with pytest.raises(ConfigProblem, match="is a link out of the workspace") as caught:
        load(tmp_path / "w")
    assert "password" not in str(caught.value)


@pytest.mark.parametrize(
    ("path", "test", "source"),
    [
        pytest.param("src/max.c", False, True, id="source"),
        pytest.param("include/max.h", False, True, id="header"),
        pytest.param("test/a.c", True, True, id="test folder"),
        pytest.param("lib/tests/deep/a.cpp", True, False, id="tests folder, C++"),
        pytest.param("src/test_max.c", True, True, id="test_ prefix"),
        pytest.param("max_test.cc", True, False, id="_test suffix"),
        pytest.param("MaxTest.cpp", True, False, id="Test suffix"),
        pytest.param("tests/helper.h", False, True, id="header of tests"),
        pytest.param("tests/data.txt", False, False, id="no C file"),
        pytest.param("attest/a.c", False, True, id="only like test"),
        pytest.param("src/main/java/p/Max.java", False, True, id="Java source"),
        pytest.param("src/main/java/p/Max.jml", False, True, id="contracts beside a Java source"),
        pytest.param("src/test/java/p/Max.java", True, True, id="Java in Maven's test folder"),
        pytest.param("tests/Max.java", True, True, id="Java in a tests folder"),
        pytest.param("src/p/MaxTest.java", True, True, id="Test suffix of a Java class"),
        pytest.param("src/p/MaxTests.java", True, True, id="Tests suffix"),
        pytest.param("src/p/TestMax.java", True, True, id="Test prefix"),
        pytest.param("src/it/MaxIT.java", True, True, id="integration test"),
        pytest.param("src/main/java/p/Latest.java", False, True, id="ends in test, but not in Test"),
        pytest.param("src/main/java/p/build/Target.java", False, True, id="package named like a build folder"),
        pytest.param("target/generated-sources/annotations/p/Max.java", False, False, id="generated by Maven"),
        pytest.param("app/build/generated/sources/p/MaxTest.java", False, False, id="generated by Gradle"),
        pytest.param("build/generated/max.c", False, True, id="generated C, as ever"),
    ],
)
def test_default_patterns(path: str, test: bool, source: bool) -> None:
    assert (Config().is_test(path), Config().is_source(path)) == (test, source)


def test_exclude_wins() -> None:
    config = Config(exclude=("vendor/",))
    assert not config.is_source("vendor/a.c") and not config.is_test("vendor/test_a.c")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        pytest.param("*.c", "a/b/c.c", True, id="name in any folder"),
        pytest.param("/*.c", "a.c", True, id="anchored"),
        pytest.param("/*.c", "a/a.c", False, id="anchored does not cross"),
        pytest.param("src/*.c", "src/a.c", True, id="one folder"),
        pytest.param("src/*.c", "src/x/a.c", False, id="star stays in a folder"),
        pytest.param("src/**/*.c", "src/a.c", True, id="two stars match no folder"),
        pytest.param("src/**/*.c", "src/x/y/a.c", True, id="two stars match several"),
        pytest.param("**/gen/*.c", "gen/a.c", True, id="two stars first"),
        pytest.param("src/", "src/x/a.c", True, id="everything below"),
        pytest.param("src/", "lib/src/a.c", False, id="below the top only"),
        pytest.param("src/[ab].?", "src/a.c", True, id="class and question mark"),
        pytest.param("src/a.c", "src/A.c", False, id="case counts"),
        pytest.param("a/**/b/**/c", "a/x/b/y/z/c", True, id="several two stars"),
        pytest.param("a/**/b/**/c", "a/x/y/z/c", False, id="a missing part"),
        pytest.param("src/[", "src/[", True, id="a broken class is itself"),
    ],
)
def test_globs(pattern: str, path: str, expected: bool) -> None:
    assert matches(path, [pattern]) == expected


def test_hostile_globs_end() -> None:
    """A matcher that tries all ways in turn would take ages for each."""
    assert not matches("a" * 200, ["*a" * 60 + "b"])
    assert not matches("/".join("a" * 200), ["**/a/" * 60 + "b"])


def test_record_as_a_list_is_its_commands() -> None:
    assert parse(b"record: [ctest -q, ctest -q]\n").record == RecordSettings((("ctest", "-q"), ("ctest", "-q")))


def test_every_limit_can_be_set() -> None:
    for one in fields(RecordLimits):
        assert getattr(parse(f"record: {{limits: {{{one.name}: 1}}}}".encode()).record.limits, one.name) == 1


@pytest.mark.parametrize(
    ("glob", "function", "expected"),
    [
        pytest.param("login", "login", True, id="name"),
        pytest.param("log*", "login", True, id="glob"),
        pytest.param("log", "login", False, id="part of a name"),
        pytest.param("Login", "login", False, id="case"),
        pytest.param("find", "Outer.Box.find(int[], String)", True, id="method"),
        pytest.param("Outer.Box.*", "Outer.Box.find(int[], String)", True, id="class"),
        pytest.param("Box.find", "Outer.Box.find(int[], String)", False, id="part of the class"),
        pytest.param("Box.find(int[], int[])", "Box.find(int[], int[])", True, id="signature with arrays"),
        pytest.param("Box.find(int*)", "Box.find(int[], int[])", True, id="glob of a signature"),
    ],
)
def test_what_is_not_recorded(glob: str, function: str, expected: bool) -> None:
    assert RecordSettings(exclude=(glob,)).leaves_out(function) is expected
    hiding = RecordSettings(exclude_parameters=(f"{glob}.key",))
    assert hiding.hides(function, "key") is expected and not hiding.hides(function, "other")
    assert RecordSettings(exclude_parameters=("*.key",)).hides(function, "key")
    assert not RecordSettings().leaves_out(function)


@pytest.mark.parametrize("path", [".clausefit/pins/src/a.c", ".clausefit/a.java"])
def test_what_is_ours_is_neither_source_nor_test(path: str) -> None:
    config = Config(sources=("**/*",), tests=("**/*",))
    assert not config.is_source(path) and not config.is_test(path)
    assert config.is_source(f"x/{path}") and config.is_test(f"x/{path}")
