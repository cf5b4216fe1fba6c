"""What an owner does with the presets that all visitors can pick: keep, change, remove, take out, bring in.

A preset never holds a key: whoever picks one of a server that wants a key is asked for their own, and one of the
owner's server is paid for as anything on the owner's key, under its caps. Chats have what they began with in their own
events: nothing here changes them.
"""

from __future__ import annotations

import json
from base64 import b64decode, b64encode
from binascii import Error as BadBase64
from collections.abc import Mapping, Sequence
from typing import Any, cast

from agent.application.preferences import KEYED, OF_A_PRESET, chosen, key_missing, read_back, write_down
from agent.application.prompt_editing import check
from agent.application.services import Services
from agent.application.setup import DEMO, allowed_endpoint, comparable, default_choice
from agent.application.site.person import Person, is_owner
from agent.errors import BadRequest
from agent.interface_text import Text
from agent.settings import owner_secrets
from agent.sharing.import_file import parsed, refuse
from agent.store.site_presets import SampleFile, SitePreset
from agent.text.characters import one_line
from agent.text.concealment import masked

FORMAT, VERSION = "glassbox-presets", 1
MOST_PRESETS = 30
MOST_NAME = 60  # characters
MOST_FILES = 3
MOST_FILE_BYTES = 2_000_000
MOST_IMPORT_BYTES = 30_000_000
_MOST_BODY = 300_000  # characters
_SHORTEST_SECRET = 6


class PresetOffice:
    """Made by ``preset_office`` alone. Every method raises ``StoreFailed``, and ``BadRequest`` for what cannot be."""

    def __init__(self, services: Services) -> None:
        self._services = services
        self._settings = services.settings
        self._presets = services.presets

    def all(self) -> list[SitePreset]:
        return self._presets.all()

    def keep(self, name: str, choice: Mapping[str, Any], files: Sequence[SampleFile]) -> None:
        """Keep what is chosen now, as ``preferences`` has it, under a name that none has yet."""
        short = self._name(name)
        if any(preset.name == short for preset in self.all()):
            raise BadRequest.because("There is a preset of this name. Take another, or change that one.")
        self._keep([(short, self._body(choice), self._files(files))])

    def change(self, name: str, choice: Mapping[str, Any]) -> None:
        """Have a preset say what is chosen now; its sample files stay."""
        if all(preset.name != name for preset in self.all()):
            raise BadRequest.because("This preset is gone.")
        self._keep([(name, self._body(choice), self._presets.files(name))])

    def remove(self, name: str) -> None:
        self._presets.remove(name)

    def exported(self) -> bytes:
        """All of them as a JSON file; no key is in it."""
        presets: list[dict[str, Any]] = []
        for preset in self.all():
            files = [
                {"name": file.name, "content": b64encode(file.content).decode("ascii")}
                for file in self._presets.files(preset.name)
            ]
            presets.append({"name": preset.name, "choice": json.loads(preset.body), "files": files})
        told = {"format": FORMAT, "version": VERSION, "presets": presets}
        return json.dumps(told, ensure_ascii=False, indent=2).encode("utf-8", "replace")

    def imported(self, data: bytes) -> int:
        """Keep the presets of a file that ``exported`` may have made, each in place of that of its name; how many."""
        found = [self._read(number, value) for number, value in enumerate(_presets(data), 1)]
        if len({name for name, _, _ in found}) != len(found):
            refuse(Text("Two presets in it have one name."))
        self._keep(found)
        return len(found)

    def _keep(self, presets: Sequence[tuple[str, str, Sequence[SampleFile]]]) -> None:
        names = {preset.name for preset in self.all()} | {name for name, _, _ in presets}
        if len(names) > MOST_PRESETS:
            raise BadRequest.because("There are {most} presets, and no more fit. Remove one.", most=MOST_PRESETS)
        self._presets.keep(presets)

    def _name(self, name: str) -> str:
        short = one_line(name, MOST_NAME)
        if not short or not any(character.isalnum() for character in short):
            raise BadRequest.because("A preset needs a name.")
        return short

    def _files(self, files: Sequence[SampleFile]) -> list[SampleFile]:
        if len(files) > MOST_FILES:
            raise BadRequest.because("A preset can have {most} sample files.", most=MOST_FILES)
        for file in files:
            if not 0 < len(file.content) <= MOST_FILE_BYTES:
                most = MOST_FILE_BYTES // 1_000_000
                raise BadRequest.because("{name} is empty, or has more than {most} MB.", name=file.name, most=most)
        return [SampleFile(_file_name(file.name), file.content) for file in files]

    def _body(self, kept: Mapping[str, Any]) -> str:
        """What is chosen of model, tools and prompts, checked, as it is kept: without a key, or what looks like one."""
        choice = chosen(kept, default_choice(self._settings))
        own = bool(self._settings.base_url) and comparable(choice.endpoint) == comparable(self._settings.base_url)
        values = {name: getattr(choice, name) for name in OF_A_PRESET}
        wants_key = not own and choice.endpoint != DEMO and (bool(choice.key) or key_missing(kept))
        if own:
            values["endpoint"] = self._settings.base_url
            self._services.budget.check_model(choice.model)
        elif choice.endpoint != DEMO:
            values["endpoint"] = allowed_endpoint(self._settings, choice.endpoint)
        if choice.endpoint != DEMO and not choice.model:
            raise BadRequest.because("No model is chosen for this server. Choose one under Connect a model.")
        for language, name, text in choice.prompts:
            check(language, name, text)
        body = write_down({**values, KEYED: wants_key}, self._settings.base_url)
        secrets = (*owner_secrets(self._settings), choice.key.reveal())
        if masked(body, (secret for secret in secrets if len(secret) >= _SHORTEST_SECRET)) != body:
            raise BadRequest.because("Something in it looks like a key. Take it out: a preset is read by everybody.")
        if len(body) > _MOST_BODY:
            raise BadRequest.because("Its prompts are too long for a preset.")
        return body

    def _read(self, number: int, value: object) -> tuple[str, str, Sequence[SampleFile]]:
        """A preset of a file, as it is kept."""
        given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
        name, choice, files = given.get("name"), given.get("choice"), given.get("files", [])
        if not (isinstance(name, str) and isinstance(choice, dict) and isinstance(files, list)):
            refuse(Text("Preset {number} has no name or no choice.", number=number))
        known = read_back(json.dumps(choice))
        told = {
            str(each) for each, said in cast("dict[str, Any]", choice).items() if each != KEYED or said is not False
        }
        if told - known.keys() or known.keys() - {*OF_A_PRESET, KEYED}:
            refuse(Text("Preset {number} says something that no preset can say.", number=number))
        if "endpoint" not in known and not self._settings.owner_model:
            refuse(Text("Preset {number} wants a model of the site's own, and this site has none.", number=number))
        try:
            kept = {**known, "endpoint": known.get("endpoint") or self._settings.base_url}
            return (
                self._name(name),
                self._body(kept),
                self._files([_file(each) for each in cast("list[object]", files)]),
            )
        except BadRequest as error:
            refuse(Text("Preset {number}: {problem}", number=number, problem=error.text))


def preset_office(services: Services, person: Person | None) -> PresetOffice | None:
    """The office, for an owner of the site; ``None`` for everybody else."""
    return PresetOffice(services) if is_owner(person, services.settings.owners) else None


def _presets(data: bytes) -> list[object]:
    """What stands in a file in the place of its presets."""
    if len(data) > MOST_IMPORT_BYTES:
        refuse(Text("It has more than {most} MB.", most=MOST_IMPORT_BYTES // 1_000_000))
    try:
        read = parsed(1, data.decode("utf-8"))
    except UnicodeDecodeError:
        refuse(Text("It is not UTF-8 text."))
    if read.get("format") != FORMAT or type(read.get("version")) is not int:
        refuse(Text("It is no file of presets of Glassbox."))
    if read["version"] > VERSION:
        refuse(Text("A newer version of Glassbox may have written it."))
    presets = read.get("presets")
    if not isinstance(presets, list) or not presets:
        refuse(Text("There is no preset in it."))
    found = cast("list[object]", presets)
    if len(found) > MOST_PRESETS:
        refuse(Text("It has more than {most} presets.", most=MOST_PRESETS))
    return found


def _file(value: object) -> SampleFile:
    given = cast("dict[str, object]", value) if isinstance(value, dict) else {}
    name, content = given.get("name"), given.get("content")
    if not isinstance(name, str) or not isinstance(content, str) or len(content) > 2 * MOST_FILE_BYTES:
        raise BadRequest.because("A sample file has no name, or too much in it.")
    try:
        return SampleFile(name, b64decode(content, validate=True))
    except (BadBase64, ValueError):
        raise BadRequest.because("A sample file is not in base64.") from None


def _file_name(name: str) -> str:
    """A plain name, without a folder."""
    short = one_line(name.replace("\\", "/").rpartition("/")[2], 100)
    if not short.strip("."):
        raise BadRequest.because("A sample file needs a name.")
    return short
