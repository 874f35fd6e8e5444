"""Settings that do nothing: a file under another name, a pattern that no file matches, a path that leads nowhere, an
exclusion of nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from pathlib import Path

import yaml
from clausefit.hook import globs
from clausefit.hook.changes import is_source_file
from clausefit.hook.config import FILE_NAME
from clausefit.hook.config_values import nearest
from clausefit.hook.record.settings import RecordSettings, names_of
from clausefit.hook.visible import shortened, visible

OTHER_NAMES = (".clausefit.yml", "clausefit.yaml", "clausefit.yml")
_OF_FILES = {"sources": "nothing is judged", "tests": "no test is read"}
_OF_PATHS: Mapping[str, tuple[str, str, Callable[[Path], bool]]] = {
    "compile_commands": ("file", "no compilation database is used", Path.is_file),
    "include_dirs": ("folder", "nothing is included from it", Path.is_dir),
}
_LONGEST_PATTERN = 80


def unread_file(workspace: Path, here: Path) -> str | None:
    """One line about a settings file that bears another name than the one that is read; None where there is none.

    Looked for in the folders from ``here`` up to ``workspace``.
    """
    folders = [folder for folder in (here, *here.parents) if folder.is_relative_to(workspace)]
    for path in (folder / name for folder in folders or [workspace] for name in OTHER_NAMES):
        if path.is_file():
            name = visible(path.relative_to(workspace).as_posix())
            if (path.parent / FILE_NAME).is_file():
                return f"{name} is not read, {FILE_NAME} beside it is: move its settings there, and delete it"
            return f"{name} is not read: rename it to {FILE_NAME}"
    return None


def idle_patterns(content: bytes | None, paths: Callable[[], Iterable[str]]) -> Iterator[str]:
    """One line for each pattern of ``sources`` and ``tests`` that no C or Java file among ``paths()`` matches.

    ``content`` is a settings file that could be loaded, None where there is none. A pattern for names alone (``*.h``)
    may wait for files to come while another pattern of its list matches.
    """
    files: Sequence[str] | None = None
    for key, patterns in _listed(content, _OF_FILES):
        files = files if files is not None else [path for path in paths() if is_source_file(path)]
        idle = [(text, line) for text, line in patterns if not any(globs.matches(path, [text]) for path in files)]
        so = f", so {_OF_FILES[key]}" if len(idle) == len(patterns) else ""
        for text, line in idle:
            if so or "/" in text:
                shown = shortened(visible(text), _LONGEST_PATTERN)
                yield f"{FILE_NAME}:{line}: {key}: no C or Java file matches `{shown}`{so}; correct or remove it"


def missing_paths(content: bytes | None, workspace: Path) -> Iterator[str]:
    """One line for each path of ``compile_commands`` and ``include_dirs`` where no such file or folder is.

    ``content`` as in ``idle_patterns``.
    """
    for key, paths in _listed(content, _OF_PATHS):
        kind, so, is_there = _OF_PATHS[key]
        for text, line in paths:
            if not is_there(workspace / text):
                shown = shortened(visible(text), _LONGEST_PATTERN)
                yield f"{FILE_NAME}:{line}: {key}: there is no {kind} `{shown}`, so {so}; correct or remove it"


Nameable = Mapping[str, AbstractSet[str]]
"""Functions with contracts -> the parameters and variables whose values a pin of each may hold."""


def idle_exclusions(content: bytes | None, known: Callable[[], Nameable]) -> Iterator[str]:
    """One line for each glob of ``exclude`` and ``exclude_parameters`` of ``record:`` that nothing in ``known()`` fits.

    ``content`` as in ``idle_patterns``. What is misspelt there would be stored, although somebody wants to keep it out.
    """
    written = list(_exclusions(content)) if content is not None else []
    functions = known() if written else {}
    for key, text, line in written:
        if key == "exclude":
            means = RecordSettings(exclude=(text,)).leaves_out
            if any(means(function) for function in functions):
                continue
            what, so = "function with a contract", "nothing is left out"
            names = [name for function in functions for name in names_of(function)]
        else:
            hides = RecordSettings(exclude_parameters=(text,)).hides
            if any(hides(function, name) for function, inside in functions.items() for name in inside):
                continue
            what, so = "parameter or variable of a function with a contract", "no value is hidden"
            names = [f"{n}.{name}" for f, inside in functions.items() for n in names_of(f) for name in sorted(inside)]
        shown = shortened(visible(text), _LONGEST_PATTERN)
        near = nearest(text, names)
        yield f"{FILE_NAME}:{line}: record: {key}: no {what} is called `{shown}`, so {so}{visible(near)}"


def _exclusions(content: bytes) -> Iterator[tuple[str, str, int]]:
    """Key, text and line of what ``record:`` excludes."""
    root = yaml.compose(content.decode("utf-8"), Loader=yaml.SafeLoader)
    for top, settings in root.value if isinstance(root, yaml.MappingNode) else ():
        if top.value != "record" or not isinstance(settings, yaml.MappingNode):
            continue
        for key, value in settings.value:
            if key.value in ("exclude", "exclude_parameters") and isinstance(value, yaml.SequenceNode):
                for one in value.value:
                    yield key.value, str(one.value), one.start_mark.line + 1


def _listed(content: bytes | None, keys: Collection[str]) -> Iterator[tuple[str, list[tuple[str, int]]]]:
    """The texts that are written down for each of ``keys``, one or a list, with their lines."""
    root = yaml.compose(content.decode("utf-8"), Loader=yaml.SafeLoader) if content is not None else None
    for key, value in root.value if isinstance(root, yaml.MappingNode) else ():
        if key.value in keys and value.value:
            texts = value.value if isinstance(value, yaml.SequenceNode) else [value]
            yield key.value, [(str(one.value), one.start_mark.line + 1) for one in texts]
