"""What a question names by its place in a document, or by pointing to one."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """What a section is called by: 3.2, 第三章 with its unit, 章, or by a title without a number, 前言.

    A negative number counts from the end.
    """

    numbers: tuple[int, ...]
    unit: str = ""
    title: str = ""


@dataclass(frozen=True, slots=True)
class Kind:
    """What a question calls the one document, or those, that it points to, in terms: 租赁合同 of 这份租赁合同.

    `said` are those that are not of the word for a document alone; 文件 and its like are no kind.
    """

    terms: tuple[str, ...]
    said: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Place:
    """What a question names by its place: physical pages (-1 is the last), sections (of another unit than the one
    before: within it), pages counted within sections, what is a `step` from the last place that was asked for, or, with
    none of these, whole documents. `about` are its terms besides, `formerly` those of an earlier question about a place
    where it has none; `divided`: it asks how a document is divided; `writes`: something is to be written from it;
    `of_itself`: it asks what documents say of themselves, as their title or author.
    `titles` are those of whole documents in 《》; what `names_documents` may call them as they open. `spoken_of` is the
    id of the document that the talk is about, if one, and `kind` what is said of the documents that it points to.
    """

    pages: tuple[int, ...] = ()
    sections: tuple[SectionNumber, ...] = ()
    about: tuple[str, ...] = ()
    divided: bool = False
    writes: bool = False
    of_itself: bool = False
    step: int = 0
    formerly: tuple[str, ...] = ()
    spoken_of: str | None = None
    titles: tuple[str, ...] = ()
    names_documents: bool = False
    kind: Kind | None = None

    @property
    def says_of_which(self) -> bool:
        """Whether there are words by which a document may be called."""
        return bool(self.about or self.titles)

    @property
    def called(self) -> tuple[str, ...]:
        """The terms by which it may call its document: 那租赁合同的第十条 points to one of that kind."""
        return self.about or (self.kind.terms if self.kind else ())

    @property
    def is_numbered(self) -> bool:
        """Whether it is certain without the name of its document: a title may be any document's, or a subject."""
        return bool(self.pages) or any(section.numbers for section in self.sections)

    @property
    def in_full(self) -> bool:
        """Whether nothing in particular is asked there: what stands there is to be read."""
        return not self.about
