"""The page and what programs talk to: the one package that knows Gradio and FastAPI.

No row reads what a row below it tells:

icons, markup, parts, networks, session         what everything on the page, and every route, is made with
emphasis, formula, markdown                     an answer's Markdown as harmless HTML
passage                                         a document's text, its tables as tables
view, readers                                   a turn that goes on, and who looks at what conversation
render_leaf, render_model, page_images, frame   what stands in several tabs, or around them
export                                          a conversation as a page to print, and as a PDF
bounded_queue                                   who may ask, and who has to wait
http                                            what programs talk to, and what is watched over for every request
chat, files, settings                           the three tabs
api                                             the two endpoints that Gradio gives programs
blocks, page_head                               Gradio's page, put right
application                                     all of it as one application
"""
