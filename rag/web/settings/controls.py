"""The control of a field as HTML. Pure functions."""

from collections.abc import Mapping
from html import escape

from rag import i18n
from rag.embeddings.build import known_as
from rag.i18n import Language
from rag.llm.listing import LONGEST_NAME
from rag.model_store import DECIMAL_MEGABYTE
from rag.preferences.checks import MAX_PROMPT_LENGTH, in_digits
from rag.preferences.fields import (
    EMBEDDING,
    FORGET_KEY,
    MODEL,
    OPENAI,
    SERVER_MODEL,
    Field,
    Kind,
    Value,
    may_have_service,
)
from rag.prompts import placeholders
from rag.types import OfferedModel, Provider
from rag.web.markup import model_name, worded
from rag.web.settings.panel import Panel

# Before the names of what the form sends: the rest of an event is the page's own.
NAME = "set:"
# The name of a service's model where it is written and not chosen.
TYPED = f"{MODEL}.typed"
_ADDRESS_HELP = 'maxlength="300" spellcheck="false" placeholder="https://api.deepseek.com/v1"'


def identity(field: Field) -> str:
    """The id of a field's control."""
    return "set-" + field.path.replace(".", "-").replace("_", "-")


def off(field: Field, panel: Panel) -> str:
    """The attribute of what the operator keeps, and nobody here changes."""
    return " disabled" if panel.is_locked(field) else ""


def in_words(field: Field, value: Value, language: Language) -> str:
    """A value as people read it."""
    if isinstance(value, bool):
        return i18n.text(language, f"preference.{'on' if value else 'off'}")
    if isinstance(value, dict):
        return " / ".join(f"{_choice_name(name, language)} {in_digits(number)}" for name, number in value.items())
    if field.kind is Kind.CHOICE:
        return _choice_name(value, language)
    return in_digits(value) if isinstance(value, int | float) else value


def control(field: Field, panel: Panel) -> str:
    """The part of a field that is changed; what has several is switched off by the group that it stands in."""
    value, default, named = panel.value(field), panel.default(field), _named(field, panel)
    match field.kind:
        case Kind.MODEL if field.path == EMBEDDING:
            return _embeddings(field, str(value), panel)
        case Kind.MODEL:
            return _models(field, str(value), panel)
        case Kind.ROUTES:
            return _routes(field, value, default, panel.language)
        case Kind.LIMITS:
            return _limits(field, value, default, panel.language)
        case Kind.SWITCH:
            return _switch(field, panel)
        case Kind.CHOICE:
            options = "".join(
                f'<option value="{choice}"{" selected" if choice == value else ""}>'
                f"{worded(panel.language, f'choice.{choice}')}</option>"
                for choice in panel.choices(field)
            )
            return f'<select {named} data-default="{escape(str(default))}">{options}</select>'
        case Kind.PROMPT:
            return _prompt(named, str(value), str(default))
        case Kind.ADDRESS:
            return f'<input type="url" {named} value="{escape(str(value))}" data-default="" {_ADDRESS_HELP}>'
        case Kind.SECRET:
            return _secret(field, panel)
        case Kind.WHOLE | Kind.NUMBER:
            step = "1" if field.kind is Kind.WHOLE else "any"
            return _number(field, named, value, default, step)


def _named(field: Field, panel: Panel) -> str:
    name = identity(field)
    described = f'aria-describedby="{name}-hint {name}-problem"'
    return f'id="{name}" name="{NAME}{field.path}" {described} autocomplete="off"{off(field, panel)}'


def _secret(field: Field, panel: Panel) -> str:
    """A box for a new key, which never shows the one that there is, and what can be done with either."""
    language = panel.language
    kept = worded(language, "service.kept") if panel.keeps_key else ""
    # Of the same name as the box, and behind it: ticked, it is what arrives.
    removal = (
        f'<label class="choice"><input type="checkbox" name="{NAME}{field.path}" value="{FORGET_KEY}" '
        f'data-default="off"><span>{worded(language, "service.remove_key")}</span></label>'
    )
    # A browser would fill in, and offer to keep, what is not a password of this page.
    named = _named(field, panel).replace('autocomplete="off"', 'autocomplete="new-password"')
    return (
        f'<input type="password" {named} value="" data-default="" placeholder="{kept}" maxlength="2000">'
        f"{removal if panel.keeps_key else ''}"
        f'<button type="button" class="ask-models" data-act="ask_models" data-fields '
        f'data-busy="{worded(language, "service.asking")}">{worded(language, "service.ask")}</button>'
    )


def _written(value: object) -> str:
    return escape(in_digits(value) if isinstance(value, int | float) else str(value))


def _choice_name(choice: object, language: Language) -> str:
    return i18n.text(language, f"preference.choice.{choice}")


def _number(field: Field, named: str, value: object, default: object, step: str) -> str:
    return (
        f'<input type="number" {named} value="{_written(value)}" data-default="{_written(default)}" '
        f'min="{in_digits(field.least)}" max="{in_digits(field.most)}" step="{step}">'
    )


def _switch(field: Field, panel: Panel) -> str:
    # An unticked box sends nothing: the hidden field before it says that it was there.
    usual, checked = "on" if panel.default(field) is True else "off", " checked" if panel.value(field) is True else ""
    return (
        f'<span class="switcher"><input type="hidden" name="{NAME}{field.path}" value="off"{off(field, panel)}>'
        f'<input type="checkbox" role="switch" {_named(field, panel)} value="on" data-default="{usual}"{checked}>'
        "</span>"
    )


def _prompt(named: str, value: str, default: str) -> str:
    names = placeholders(default)
    chips = "".join(f"<code>{{{escape(name)}}}</code>" for name in names)
    return (
        f'<textarea {named} rows="{min(12, max(2, value.count(chr(10)) + 2))}" maxlength="{MAX_PROMPT_LENGTH}" '
        f'data-default="{escape(default)}" spellcheck="false">\n{escape(value)}</textarea>'
        f'<p class="names">{chips}</p>'
    )


def _routes(field: Field, value: object, default: Value, language: Language) -> str:
    """A box and a weight for each route."""
    chosen = value if isinstance(value, Mapping) else {}
    usual = default if isinstance(default, dict) else {}
    rows = []
    for route in field.choices:
        key, label = f"{NAME}{field.path}.{route}", worded(language, f"choice.{route}")
        weight = usual.get(route, 1.0)
        named = worded(language, "choice.weight", route=_choice_name(route, language))
        number = _number(field, f'name="{key}" aria-label="{named}"', chosen.get(route, weight), weight, "any")
        rows.append(
            f'<div class="route"><label><input type="hidden" name="{key}.on" value="off">'
            f'<input type="checkbox" name="{key}.on" value="on" data-default="{"on" if route in usual else "off"}"'
            f"{' checked' if route in chosen else ''}><span>{label}</span></label>{number}</div>"
        )
    return "".join(rows)


def _limits(field: Field, value: object, default: Value, language: Language) -> str:
    """A number for each route."""
    chosen = value if isinstance(value, Mapping) else {}
    usual = default if isinstance(default, dict) else {}
    rows = []
    for route in field.choices:
        named = worded(language, "choice.limit", route=_choice_name(route, language))
        names = f'name="{NAME}{field.path}.{route}" placeholder="{worded(language, "choice.as_above")}"'
        number = _number(field, f'{names} aria-label="{named}"', chosen.get(route, ""), usual.get(route, ""), "1")
        rows.append(f'<div class="route"><span>{worded(language, f"choice.{route}")}</span>{number}</div>')
    return "".join(rows)


def _models(field: Field, chosen: str, panel: Panel) -> str:
    """A button for each model, the server's own first; one that is chosen and gone is still listed."""
    language = panel.language
    now = worded(language, "model.server_now", model=i18n.text(language, "web.model.extractive"))
    if panel.server_model.provider is not Provider.EXTRACTIVE:
        now = worded(language, "model.server_now", model=panel.server_model.model)
    rows = [(SERVER_MODEL, worded(language, "model.server"), now)]
    rows += [(model.key, *_described(model, panel.service, language)) for model in panel.models]
    typed = f"{OPENAI}:"
    if chosen not in {typed, *(key for key, _, _ in rows)}:
        provider, _, name = chosen.partition(":")
        rows.insert(1, (chosen, escape(name), escape(panel.service) if provider == OPENAI else ""))
    choices = "".join(_choice(field, *row, chosen) for row in rows)
    if not may_have_service(panel.settings):
        return f'<div class="choices">{choices}</div>'
    has_told = any(model.provider is Provider.OPENAI for model in panel.models)
    said = worded(language, "service.told" if has_told else "service.told_nothing")
    told = f'<p class="told" role="status">{said}</p>' if panel.has_asked else ""
    other = _choice(field, typed, worded(language, "service.other"), "", chosen)
    named = worded(language, "service.name")
    return (
        f'{told}<div class="choices">{choices}</div><div class="typed">{other}<input type="text" name="{NAME}{TYPED}" '
        f'value="" data-default="" maxlength="{LONGEST_NAME}" placeholder="{named}" aria-label="{named}" '
        'autocomplete="off" spellcheck="false"></div>'
    )


def _embeddings(field: Field, chosen: str, panel: Panel) -> str:
    """A button for each model that makes vectors, the server's own first; one that is chosen and gone is listed."""
    language, dense = panel.language, panel.settings.dense_fields.chunk
    name, length = known_as(dense)
    told = [worded(language, f"embedding.{dense.provider}", model=name)]
    told += [worded(language, "embedding.length", count=length)] if length else []
    rows = {SERVER_MODEL: (worded(language, "model.server"), " · ".join(told))}
    rows |= {chosen: (escape(chosen.partition(":")[2]), "")} if chosen else {}
    for model_id, model in panel.embeddings.items():
        rows[model_id] = escape(model.name), worded(language, f"model.{model.provider}")
    return f'<div class="choices">{"".join(_choice(field, key, *row, chosen) for key, row in rows.items())}</div>'


def _choice(field: Field, key: str, label: str, state: str, chosen: str) -> str:
    return (
        f'<label class="choice"><input type="radio" name="{NAME}{field.path}" value="{escape(key)}" '
        f'data-default="{"on" if key == SERVER_MODEL else "off"}"{" checked" if key == chosen else ""}>'
        f"<span>{label}<small>{state}</small></span></label>"
    )


def _described(model: OfferedModel, service: str, language: Language) -> tuple[str, str]:
    if model.provider is Provider.EXTRACTIVE:
        return worded(language, "model.extractive"), ""
    if model.provider is Provider.OPENAI:
        return escape(model.name), escape(service)
    kind = worded(language, f"model.{model.provider}")
    megabytes = f"{model.size / DECIMAL_MEGABYTE:.0f}"
    state = worded(language, "model.present") if model.present else worded(language, "model.fetch", size=megabytes)
    return model_name(model.name, language), f"{kind} · {state}"
