"""The form of settings, as HTML and as what it sends. Pure functions."""

from collections.abc import Mapping
from html import escape

from rag import i18n
from rag.i18n import Language
from rag.preferences.fields import EMBEDDING, LIMITS, MODEL, OPENAI, ROUTES, Field, Group, Kind, fields_of
from rag.web.markup import as_html, said, worded
from rag.web.settings.controls import NAME, TYPED, control, identity, in_words, off
from rag.web.settings.panel import Panel

# These have no label of their own to name: their parts have.
_GROUPED = (Kind.MODEL, Kind.ROUTES, Kind.LIMITS)
_ROUTE_ON = ".on"
_ON, _OFF = "on", "off"


def form(panel: Panel, is_saved: bool = False) -> str:
    """All fields in their groups, and what can be done with them. `is_saved` tells that it has just been done."""
    language = panel.language
    fields = fields_of(panel.settings)
    groups = "".join(_group(group, [field for field in fields if field.group is group], panel) for group in Group)
    # What is drawn as it was written is not what is stored.
    refused = " data-refused" if panel.refused else ""
    return (
        f'<form data-act="save" novalidate{refused}><h1 class="unseen">{said(language, "tab.settings")}</h1>'
        f'<p class="lead">{worded(language, "lead")}</p>'
        f"{groups}{_look(language)}{_footer(panel, is_saved)}</form>"
    )


def read_form(sent: Mapping[str, str], switches: frozenset[str]) -> dict[str, object]:
    """The values of a form by field; a route that is not ticked is none."""
    values: dict[str, object] = {}
    weights: dict[str, str] = {}
    limits: dict[str, str] = {}
    has_routes = False
    for name, text in sent.items():
        path = name.removeprefix(NAME)
        if path in (name, TYPED):
            continue
        if path.startswith(f"{ROUTES}."):
            has_routes = True
            route = path.removeprefix(f"{ROUTES}.").removesuffix(_ROUTE_ON)
            if path.endswith(_ROUTE_ON) and text == _ON:
                weights[route] = sent.get(f"{NAME}{ROUTES}.{route}", "")
        elif path.startswith(f"{LIMITS}."):
            limits[path.removeprefix(f"{LIMITS}.")] = text
        else:
            values[path] = text == _ON if path in switches and text in (_ON, _OFF) else text
    if values.get(MODEL) == f"{OPENAI}:":
        values[MODEL] = f"{OPENAI}:{sent.get(NAME + TYPED, '').strip()}"
    return values | ({ROUTES: weights} if has_routes else {}) | ({LIMITS: limits} if limits else {})


def _group(group: Group, fields: list[Field], panel: Panel) -> str:
    language = panel.language
    about = f'<p class="about">{worded(language, "about.prompts")}</p>' if group is Group.PROMPTS else ""
    rows = "".join(_prompt(field, panel) if field.kind is Kind.PROMPT else _row(field, panel) for field in fields)
    return _section(str(group), f"{about}{rows}", language)


def _section(name: str, content: str, language: Language) -> str:
    title = f'<h2 id="group-{name}">{worded(language, f"group.{name}")}</h2>'
    return f'<section aria-labelledby="group-{name}">{title}{content}</section>'


def _row(field: Field, panel: Panel) -> str:
    language, name = panel.language, identity(field)
    label = worded(language, f"label.{field.path}")
    told = "hint.milvus" if field.path == EMBEDDING and panel.settings.milvus.uri else f"hint.{field.path}"
    hint = f'<p class="hint" id="{name}-hint">{worded(language, told)}</p>'
    after = _after(field, panel)
    if field.kind in _GROUPED:
        return (
            f'<fieldset class="{_classes(field, panel)}" data-field="{field.path}"{off(field, panel)}>'
            f'<legend>{label}{_marks(field, panel)}</legend><div class="label">{hint}</div>'
            f'<div class="control">{control(field, panel)}{after}</div></fieldset>'
        )
    return (
        f'<div class="{_classes(field, panel)}" data-field="{field.path}"><div class="label">'
        f'<label for="{name}">{label}</label>{_marks(field, panel)}{hint}</div>'
        f'<div class="control">{control(field, panel)}{after}</div></div>'
    )


def _prompt(field: Field, panel: Panel) -> str:
    language, name = panel.language, identity(field)
    opened = " open" if field.path in panel.problems else ""
    return (
        f'<details class="{_classes(field, panel)}" data-field="{field.path}"{opened}><summary>'
        f'<label for="{name}">{worded(language, f"label.{field.path}")}</label>{_marks(field, panel)}'
        f'<span class="hint" id="{name}-hint">{worded(language, f"hint.{field.path}")}</span></summary>'
        f'<div class="control">{control(field, panel)}{_after(field, panel)}</div></details>'
    )


def _classes(field: Field, panel: Panel) -> str:
    marks = {
        "own": field.path in panel.preferences.values,
        "locked": panel.is_locked(field),
        "wrong": field.path in panel.problems,
        "model": field.kind is Kind.MODEL,
        "listed": field.path == MODEL and panel.has_asked,
    }
    return " ".join(["field", *(name for name, holds in marks.items() if holds)])


def _marks(field: Field, panel: Panel) -> str:
    if panel.is_locked(field):
        return f'<em class="mark lock">{worded(panel.language, "locked")}</em>'
    return f'<em class="mark">{worded(panel.language, "own")}</em>'


def _after(field: Field, panel: Panel) -> str:
    """The default, the way back to it, and what is wrong."""
    language, name = panel.language, identity(field)
    # The shipped text of a prompt is long, and one click away; the model's default is the first of the choices.
    usual = "" if field.kind in (Kind.PROMPT, Kind.MODEL) else in_words(field, panel.default(field), language)
    default = worded(language, "default", value=usual) if usual else ""
    label = i18n.text(language, f"preference.label.{field.path}")
    word = worded(language, "reset")
    reset = f'<button type="button" data-reset aria-label="{word}: {escape(label)}">{word}</button>'
    reset = "" if panel.is_locked(field) else reset
    problem = panel.problems.get(field.path)
    said = as_html(language, problem) if problem else ""
    if field.kind is Kind.SECRET:  # which has no default, and a box of its own for its removal
        return f'<p class="problem" id="{name}-problem">{said}</p>'
    return f'<p class="default"><span>{default}</span>{reset}</p><p class="problem" id="{name}-problem">{said}</p>'


def _look(language: Language) -> str:
    """Theme and language, which the page serves without the server."""
    rows = []
    for name, choices in (("theme", ("light", "dark")), ("language", ("zh", "en"))):
        buttons = "".join(
            f'<label class="choice"><input type="radio" name="{name}" value="{choice}" data-look>'
            f"<span>{worded(language, f'choice.{choice}')}</span></label>"
            for choice in choices
        )
        rows.append(
            f'<fieldset class="field look" data-field="{name}"><legend>{worded(language, f"label.{name}")}</legend>'
            f'<div class="label"><p class="hint">{worded(language, f"hint.{name}")}</p></div>'
            f'<div class="control">{buttons}</div></fieldset>'
        )
    return _section("look", "".join(rows), language)


def _footer(panel: Panel, is_saved: bool) -> str:
    language = panel.language
    if panel.problems:
        state = worded(language, "state.refused", count=len(panel.problems))
    elif panel.refused:
        state = worded(language, "state.changed")
    else:
        state = worded(language, "state.saved" if is_saved or panel.preferences.values else "state.same")
    confirm = worded(language, "confirm_reset")
    return (
        f'<footer><p class="state" role="status"><span class="now">{state}</span>'
        f'<span class="changed">{worded(language, "state.changed")}</span></p>'
        f'<button type="button" class="quiet" data-discard>{worded(language, "discard")}</button>'
        f'<button type="button" class="quiet" data-act="reset" data-confirm="{confirm}">'
        f"{worded(language, 'reset_all')}</button>"
        f'<button type="submit">{worded(language, "save")}</button></footer>'
    )
