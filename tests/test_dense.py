"""Exact search by vector."""

from concurrent.futures import ThreadPoolExecutor

import faiss
import numpy as np

from rag.knowledge.index import DenseIndex


def test_an_index_of_which_all_was_removed_takes_vectors_of_another_dimension() -> None:
    index = DenseIndex()
    index.add({1: np.array([1, 0], np.float32)})
    index.remove([1])
    assert index.dimension == 0
    index.add({2: np.array([0, 0, 1], np.float32)})
    assert index.search(np.array([0, 0, 1], np.float32), 2) == {2: 1.0}


def test_a_search_takes_one_core_whichever_thread_it_is_in() -> None:
    index = DenseIndex()
    index.add({1: np.array([1, 0], np.float32), 2: np.array([0, 1], np.float32)})

    def search() -> tuple[dict[int, float], int]:
        faiss.omp_set_num_threads(2)
        return index.search(np.array([1, 0], np.float32), 2), faiss.omp_get_max_threads()

    with ThreadPoolExecutor(1) as pool:
        assert pool.submit(search).result() == ({1: 1.0}, 1)
