"""How Chinese text is cut, folded and counted, and what a question shows by its words: no retrieval, no model.

No row reads what a row below it tells:

folding, lexicon, segmentation, rows    characters in one form, words, where a text may be cut, patterns of rows
blank_forms                             forms that nothing is filled in on
measures, han_numerals, clock           the parts of a number: its unit, its value in Chinese, a time of day
weekdays                                on which days of the week
bounds, denials, refusals               how exactly a number is told; no and not; that there is no answer
numerals, numbers                       numbers as they are written, and when two are the same
words, titles                           by what a question asks, its terms, and which texts and titles have them
answer_forms                            the form of an answer, and whether it has several parts
english                                 questions in English, its dates and places
talk, meta_questions                    messages on the talk, its last answer or the program, and small talk
whether, writing, topic                 whether something is so, or to be written; what a question is about
place, whole_document                   pages and sections that it names, or all of a document
follow_up, asked_again, versions        what it leaves to the question before it
lead, parted                            what is said around a question and is none of it: 好的，; 请用一句话回答
"""
