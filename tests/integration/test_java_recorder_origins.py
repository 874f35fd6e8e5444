"""The Java recorder says which class file ran; calls of another class of the same name are none of the contract's."""

from __future__ import annotations

import subprocess
import zipfile
from pathlib import Path

import pytest
from clausefit.hook.record.builds import Builds
from java_recording import Recorded, compiled, record, write

PRICE = """package p;
public class Price {
    //@ ensures \\result == cents - cents / PART;
    public static int reduced(int cents) { return cents - cents / PART; }
}
"""
MAIN = """package p;
public class Main { public static void main(String[] args) { Price.reduced(100); } }
"""
BY_LOADER = """package p;
import java.net.*;
import java.nio.file.*;
public class Main {
    static class Bytes extends ClassLoader {
        Bytes() { super(null); }
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try {
                String file = name.replace('.', '/') + ".class";
                byte[] code = Files.readAllBytes(Path.of(System.getProperty("from"), file));
                return defineClass(name, code, 0, code.length);
            } catch (java.io.IOException e) { throw new ClassNotFoundException(name); }
        }
    }
    public static void main(String[] args) throws Exception {
        ClassLoader loader = args[0].equals("url")
            ? new URLClassLoader(new URL[] {Path.of(args[1]).toUri().toURL()}, null) : new Bytes();
        loader.loadClass("p.Price").getMethod("reduced", int.class).invoke(null, 50);
        if (args.length > 2) Price.reduced(60);
    }
}
"""
LOADERS = "its class and its test are of different class loaders: which code ran is not certain"


def refused(folder: Path, found: Recorded) -> list[str | None]:
    builds = Builds(folder)
    return [builds.outdated(call) for call in found.recording.calls]


def built(folder: Path, elsewhere: Path, main: str = MAIN) -> None:
    """The project's classes in ``out``, and an older version of them in ``old`` of another folder."""
    write(elsewhere, {"src/p/Price.java": PRICE.replace("PART", "5"), "src/p/Main.java": main})
    compiled(elsewhere).rename(elsewhere / "old")
    write(folder, {"src/p/Price.java": PRICE.replace("PART", "10"), "src/p/Main.java": main})
    compiled(folder)


def packed(folder: Path, jar: Path) -> None:
    with zipfile.ZipFile(jar, "w") as file:
        for path in folder.rglob("*.class"):
            file.write(path, path.relative_to(folder).as_posix())


@pytest.mark.parametrize(
    ("path", "counts"),
    [
        pytest.param("{here}/out", True, id="the project's classes"),
        pytest.param("{here}/my app.jar", True, id="a jar of them"),
        pytest.param("{there}/old", False, id="older classes in another folder"),
        pytest.param("{there}/old.jar", False, id="a new jar of older classes"),
        pytest.param("{there}/empty:{there}/old:{here}/out", False, id="older classes before the project's"),
        pytest.param("{there}/empty:{here}/out:{there}/old", True, id="older classes behind the project's"),
        pytest.param("{there}/path.jar", False, id="a jar that names the folder of older classes"),
    ],
)
def test_which_class_of_the_class_path_ran(path: str, counts: bool, tmp_path: Path, shared_cache: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    built(here, there)
    (there / "empty").mkdir()
    packed(here / "out", here / "my app.jar")
    packed(there / "old", there / "old.jar")
    with zipfile.ZipFile(there / "path.jar", "w") as file:
        file.writestr("META-INF/MANIFEST.MF", "Manifest-Version: 1.0\nClass-Path: old/\n")
    found = record(here, shared_cache, ["java", "-cp", path.format(here=here, there=there), "p.Main"])
    assert found.status == 0, found.output
    (reason,) = refused(here, found)
    assert (reason is None) == counts, reason


@pytest.mark.parametrize("how", ["url", "bytes"])
@pytest.mark.parametrize("also", [pytest.param((), id="alone"), pytest.param(("both",), id="beside the project's own")])
def test_a_class_of_another_loader(how: str, also: tuple[str, ...], tmp_path: Path, shared_cache: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    built(here, there, BY_LOADER)
    old = f"{there}/old/"
    command = ["java", f"-Dfrom={old}", "-cp", str(here / "out"), "p.Main", how, old, *also]
    found = record(here, shared_cache, command)
    assert found.status == 0, found.output
    assert found.pins == []
    reasons = {one.reason for one in found.recording.left_out}
    assert reasons == {LOADERS, "different classes p.Price were loaded"} if also else reasons == {LOADERS}


def test_a_module_is_known_by_what_is_in_it(tmp_path: Path, shared_cache: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    built(here, there)
    for source, target in ((here, here / "mods"), (there, there / "mods")):
        write(source, {"src/module-info.java": "module m { exports p; }"})
        files = map(str, sorted((source / "src").rglob("*.java")))
        subprocess.run(["javac", "-d", str(target), *files], check=True, timeout=120)
    (here / "src/module-info.java").unlink()
    for folder, counts in ((here, True), (there, False)):
        found = record(here, shared_cache, ["java", "-p", str(folder / "mods"), "-m", "m/p.Main"])
        assert found.status == 0, found.output
        (reason,) = refused(here, found)
        assert (reason is None) == counts, reason
