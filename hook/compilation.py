"""How the files of a workspace are compiled, by compilation database, configuration and habit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from clausefit.hook.compile_commands import CompilerSettings, settings_for
from clausefit.hook.config import Config


class Compilation:
    """The settings of every file of ``workspace``."""

    def __init__(self, workspace: Path, config: Config) -> None:
        self._workspace, self._config = workspace, config
        self._known: dict[str, CompilerSettings] = {}

    def settings(self, path: str) -> CompilerSettings:
        """The settings of one file, with the configuration's own folders and macros."""
        if path not in self._known:
            folders = [self._workspace / folder for folder in self._config.include_dirs]
            database = self._workspace / self._config.compile_commands if self._config.compile_commands else None
            settings = settings_for(self._workspace / path, self._workspace, folders, database)
            self._known[path] = replace(settings, defines=(*settings.defines, *self._config.defines))
        return self._known[path]

    def include_dirs(self, path: str) -> tuple[str, ...]:
        """The include folders of one file that lie in the workspace, relative to it."""
        settings = self.settings(path)
        top = self._workspace.resolve()
        found = []
        for folder in (*settings.quote_dirs, *settings.include_dirs):
            resolved = folder.resolve()
            if resolved.is_relative_to(top):
                found.append(resolved.relative_to(top).as_posix())
        return tuple(dict.fromkeys(found))


def moved(settings: CompilerSettings, old: Path, new: Path) -> CompilerSettings:
    """The same settings with every folder below ``old`` replaced by the same one below ``new``."""
    if old == new:
        return settings

    def there(paths: Sequence[Path]) -> tuple[Path, ...]:
        return tuple(new / p.relative_to(old) if p.is_relative_to(old) else p for p in paths)

    return replace(
        settings,
        include_dirs=there(settings.include_dirs),
        quote_dirs=there(settings.quote_dirs),
        system_dirs=there(settings.system_dirs),
        forced_includes=there(settings.forced_includes),
    )
