"""Ten turns over two documents: follow-ups, another topic, thanks, a retelling, the first topic again, an edit."""

from pathlib import Path

from rag.engine import Engine
from rag.knowledge.request import CHUNK_SPARSE, FusionSpec, SearchRequest, SingleSearchRequest
from rag.retrieval import Retrieval
from rag.settings import RerankSettings
from rag.tokens import average_estimate
from rag.types import Decision, Provider, Turn
from tests.engine.rig import Build, model
from tests.knowledge import Store, open_store

HANDBOOK = (
    "年假：工作满一年的员工每年享有十天年假，满五年的为十五天。年假应当在当年休完，确有困难的可以顺延到次年三月。",
    "病假：员工患病凭医院证明请病假，每年最多三十天。病假期间发放百分之八十的基本工资。",
    "报销：出差费用在回来后十个工作日内报销，须附发票原件，由部门经理审批。",
)
CAMERA = (
    "电池：相机装满电的电池可以拍摄四百张照片，充电需要两个小时。电池低于零度时续航会缩短。",
    "对焦：半按快门进行对焦，绿色方框表示对焦成功。光线很暗时请打开辅助灯。",
)
TALK = [
    ("工作满一年的员工有几天年假？", Decision.RETRIEVE, "员工手册.pdf 1"),
    ("那满五年的呢？", Decision.REUSE, "员工手册.pdf 1"),
    ("当年没有休完怎么办？", Decision.REUSE, "员工手册.pdf 1"),
    ("谢谢！", Decision.NO_RETRIEVE, ""),
    ("换个话题，相机的电池能拍多少张照片？", Decision.RETRIEVE, "相机说明书.pdf 1"),
    ("它充电要多久？", Decision.REUSE, "相机说明书.pdf 1"),
    ("相机怎样对焦？", Decision.RETRIEVE, "相机说明书.pdf 2"),
    ("总结一下你刚才说的", Decision.NO_RETRIEVE, ""),
    ("再问一下年假，可以顺延到几月？", Decision.REUSE, "员工手册.pdf 1"),
    # The fifth question, edited: a branch after the thanks.
    ("换个话题，出差费用怎样报销？", Decision.RETRIEVE, "员工手册.pdf 3"),
]


def two_documents(folder: Path) -> Store:
    store = open_store(folder)
    store.put("s", "员工手册.pdf", *HANDBOOK)
    store.put("s", "相机说明书.pdf", *CAMERA)
    return store


def engine_over(store: Store, build: Build) -> Engine:
    """By words, and one passage a search, so that what is in hand is told apart.

    The provider is asked for answers only: a follow-up that is searched for is joined to the question before it.
    """
    request = SearchRequest((SingleSearchRequest(CHUNK_SPARSE),), FusionSpec("rrf"), limit=1)
    rules = RerankSettings(score_threshold=0)
    retrieval = Retrieval(store.knowledge, request, rules, None, room=360, estimate=average_estimate)
    return build(model(*[["说明如上。"]] * len(TALK)), Provider.EXTRACTIVE, retrieval=retrieval)


def place(turn: Turn) -> str:
    """Where the best evidence of a turn stands."""
    return f"{turn.sources[0].document_name} {turn.sources[0].page}" if turn.sources else ""


def test_ten_turns_are_decided_and_answered_from_the_right_document(tmp_path: Path, build: Build) -> None:
    engine = engine_over(two_documents(tmp_path), build)
    conversation = engine.store.start("s")
    *talk, (edited, *_) = TALK
    held = [engine.ask(question, "s", conversation_id=conversation) for question, _, _ in talk]
    held.append(engine.ask(edited, "s", held[4].parent_turn_id, conversation_id=conversation))
    assert [(turn.question, turn.decision, place(turn)) for turn in held] == TALK
    assert engine.turns("s", conversation) == (*held[:4], held[-1])
    assert engine.view("s", conversation).branches[held[-1].turn_id] == (held[4].turn_id, held[-1].turn_id)
