from formal.terms import SYMBOLS, M
from halfulp_formal.dag import postorder, symbols, widths

A, B, WIDE, FLAG = SYMBOLS


def test_arguments_come_before_users_and_once():
    total = M.BVAdd(A, B)
    term = M.BVMul(total, total)
    assert postorder([term, total]) == [A, B, total, term]


def test_known_nodes_are_left_out():
    total = M.BVAdd(A, B)
    assert postorder([M.BVNot(total)], {total: 1}) == [M.BVNot(total)]


def test_symbols_in_order_of_use():
    assert symbols([M.Ite(FLAG, B, A)]) == [FLAG, B, A]


def test_width_of_every_kind_of_node():
    chosen = M.Ite(FLAG, M.BVConcat(A, B), M.BV(3, 16))
    term = M.BVULT(chosen, M.BVZExt(A, 8))
    found = widths(postorder([term]))
    assert (found[FLAG], found[A], found[chosen], found[M.BV(3, 16)], found[term]) == (0, 8, 16, 16, 0)
