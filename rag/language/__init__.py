"""How Chinese text is cut, folded and counted, and what a question shows by its words: no retrieval, no model.

No row reads what a row below it tells:

folding, lexicon, segmentation, rows    characters in one form, words, where a text may be cut, patterns of rows
measures, han_numerals, clock           the parts of a number: its unit, its value in Chinese, a time of day
weekdays                                on which days of the week
bounds, denials, refusals               at least and at most; no and not; that there is no answer
numerals, approximation, numbers        numbers as they are written, how loosely, and when two are the same
same_numbers                            the same for a search
words, titles, coverage                 the terms of a question, and which texts and documents have them
english, english_dates, english_places  questions in English, dates and places
whether, writing, topic                 whether something is so, or to be written; what a question is about
place, whole_document                   pages and sections that it names, or all of a document
follow_up, asked_again, versions        what it leaves to the question before it
lead, parted, last_answer               what is none of the question, and what only the talk answers
meta_questions                          what neither documents nor a model answer
"""
