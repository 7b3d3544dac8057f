"""The web application: one FastAPI app, with Gradio's page and API mounted at its root."""

import gradio as gr
from fastapi import FastAPI
from fastapi.middleware.gzip import GZipMiddleware
from gradio.route_utils import FnIndexInferError

from rag.build import Services
from rag.errors import NoSuchAddress
from rag.web.api import Api
from rag.web.blocks import Blocks
from rag.web.bounded_queue import BoundedQueue
from rag.web.chat.tab import ChatTab
from rag.web.files.tab import FilesTab
from rag.web.files.uploads import Uploads
from rag.web.frame import Frame, brand, controls, menu
from rag.web.http.errors import error_response
from rag.web.http.routes import OtherMethods, http_app
from rag.web.http.upload_room import UploadRoom
from rag.web.page_head import PageHead
from rag.web.page_images import PageImages
from rag.web.parts import EACH, LEAVE, MAY_WARN, SHORT, arrive, label, translations
from rag.web.readers import Readers
from rag.web.session import STORAGE_KEY, visitor
from rag.web.settings.tab import SettingsTab

_FONTS = ["Noto Sans CJK SC", "Noto Sans SC", "PingFang SC", "Microsoft YaHei", "system-ui", "sans-serif"]
_HOUR = 3600
# Gradio keeps a copy of all parts for each (90 KB), and makes a new one when a forgotten page is heard from again.
_PAGES_REMEMBERED = 256


def create_app(services: Services) -> FastAPI:
    """The application that a server serves. Starts nothing."""
    settings = services.settings
    app = http_app(services)
    images = PageImages(services.pages, services.signing)
    images.serve(app)
    uploads = Uploads(services)
    uploads.serve(app)
    app.router.routes.append(OtherMethods(app.routes))
    page = _page(services, images, uploads)
    page._queue = BoundedQueue(page, settings.server)
    # Open, it lets requests past the queue and all its limits.
    page.api_open = False
    page.state_session_capacity = _PAGES_REMEMBERED
    # Gradio has no handler of its own for an event that it does not know: 500, and a traceback in the log.
    unknown = {FnIndexInferError: lambda request, _: error_response(NoSuchAddress(), request, settings.server.language)}
    gr.mount_gradio_app(
        app,
        page,
        path="/",
        footer_links=[],
        run_history=False,
        enable_monitoring=False,
        show_error=False,
        max_file_size=f"{settings.loaders.max_file_mb}mb",
        ssr_mode=False,
        i18n=translations(),
        app_kwargs={"exception_handlers": unknown},
        theme=gr.themes.Base(font=_FONTS, font_mono=["ui-monospace", "monospace"]),
    )
    app.add_middleware(UploadRoom, lying=page.upload_file_set, settings=settings)
    app.add_middleware(PageHead, settings=settings)
    # Gradio compresses its files alone, and the page was changed. Streams and images go out as they are.
    app.add_middleware(GZipMiddleware, compresslevel=6)
    return app


def _page(services: Services, images: PageImages, uploads: Uploads) -> gr.Blocks:
    language = services.settings.server.language
    options = {"title": "问渠 Wenqu", "analytics_enabled": False, "delete_cache": (_HOUR, _HOUR)}
    page = Blocks(language, fill_width=True, **options)
    with page:
        browser = gr.BrowserState(None, storage_key=STORAGE_KEY, secret=services.public_browser_secret)
        readers = Readers(services.engine, language, browser)
        chat = ChatTab(services, readers, images)
        files = FilesTab(services, readers, images, uploads)
        frame = Frame(readers)
        with gr.Column(elem_id="sidebar"):
            frame.build("brand", brand)
            chat.build_list()
            files.build_storage()
        with gr.Column(elem_id="main"):
            with gr.Row(elem_id="topbar"):
                frame.build("menu", menu)
                files.build_badge()
                frame.build("controls", controls)
            with gr.Tabs(elem_id="tabs"):
                with gr.Tab(label("tab.chat"), id="chat"):
                    chat.build(files.build_beside_question)
                with gr.Tab(label("tab.files"), id="files"):
                    files.build()
                with gr.Tab(label("tab.settings"), id="settings"):
                    values = SettingsTab(services, readers)
        files.removed.then(chat.show_sources, [browser], chat.shown, **EACH)
        page.load(frame.show, None, [*frame.shown], **SHORT)
        _open(page, browser, chat, files, values)
        Api(services, readers).wire()
        # Gradio's script looks, at every piece of an answer, through each part that ever was to show how an event goes
        # on: by default all outputs. No part of ours does.
        for event in page.fns.values():
            event.show_progress_on = [browser]
    return page


def _open(page: gr.Blocks, browser: gr.BrowserState, chat: ChatTab, files: FilesTab, values: SettingsTab) -> None:
    """What happens when a page is opened, and when a visitor deletes everything: the session, then all it shows."""
    opened = page.load(lambda stored: visitor(stored).stored(), [browser], [browser], **SHORT)
    # The end of an answer under way would give the browser the deleted session back.
    forgotten = files.storage.forget(files.forget, [browser], [browser], cancels=chat.asking, js=LEAVE, **MAY_WARN)
    forgotten.then(None, js="() => window.wenqu.forgotten()")
    for session in (opened, forgotten):
        arrive(session, session.then(chat.show, [browser], chat.shown, **SHORT))
        session.then(files.show, files.own, files.shown, **SHORT)
        session.then(values.show, [browser], values.shown, **SHORT)
