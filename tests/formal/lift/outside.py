"""Small functions that cannot be lifted: each breaks one rule of the liftable subset."""
# ruff: noqa: E731, F821, PLC3002, PLE0643
# mypy: ignore-errors
# Code under test: it is wrong on purpose.

from functools import wraps

from formal.lift.samples import Pair, add, asserted

limit = 3
NAMED = {"b": 1}
LAMBDAS = {
    "one": lambda x: x + 1,
    "two": lambda x: x + 2,
}


def no_lambda(a):
    return (lambda x: x)(a)


def no_while(a):
    while a > 0:
        a -= 1
    return a


def no_division(a):
    return a / 2


def no_float(a):
    return a + 1.5


def no_set(a):
    return a in {1, 2}


def no_list(a):
    return [a, 1]


def no_slice(a):
    return (a, 1, 2)[0:2]


def no_star(a):
    return add(*(a, 1))


def no_double_star(a):
    return add(a, **NAMED)


def no_try(a):
    try:
        return a
    finally:
        pass


def no_while_augmented(a):
    values = (a,)
    values[0] += 1


def no_item_assignment(a):
    a[0] = 1


def no_call_statement(a):
    add(a, 1)


def no_symbolic_range(a):
    return sum(x for x in range(a))


def no_filter(a):
    return sum(x for x in (a, 2) if x > 1)


def no_two_loops(a):
    return sum(x * y for x in (a, 1) for y in (1, 2))


def no_loop_over(a):
    for _ in a:
        pass


def no_unknown_name(a):
    return a + unknown


def no_half_set(a):
    if a > 3:
        limit = 5  # hides the global
    return limit


def no_star_arguments(*values):
    return values[0]


def calls_star_arguments(a):
    return no_star_arguments(a)


def no_wrong_call(a):
    return add(a)


def no_unpacking(a):
    first, second = (a, 1, 2)
    return first + second


def no_foreign_function(a):
    return wraps(a)


def no_method(a):
    return a.to_bytes()


def no_class_method(a):
    return Pair(a, 1)._make


def no_symbolic_power(a):
    return a**2


def no_negative_divisor(a, b):
    return a // b


def no_huge_shift(a):
    return 1 << (a * 1000)


def no_huge_shift_in_place(a):
    b = 1
    b <<= a * 1000
    return b


def no_mixed_values(a):
    return (1 if a > 3 else None) + 1


def no_order_of_names(a):
    return a > "x"


def no_mixed_comparison(a):
    return a == "x"


def no_symbolic_truth_of_record(a):
    return 1 if Pair(a, 1) else 0


def no_value_of_and(a):
    return (a > 3 and a) == 3


def no_wrong_index(a):
    return a + (1, 2)[5]


def no_empty_index(a):
    return (1, 2)[a + 100]


def no_index_into_number(a):
    return (5).real[a]


def no_missing_attribute(a):
    return a + Pair.third


def no_failing_call(a):
    return a + asserted(99)


def no_return_at_all(a):
    raise ValueError(a)


def no_end(a):
    return no_end(a + 1)


def no_sort(a):
    return len((a,).index)


def decorated_by(function):
    @wraps(function)
    def wrapper(*arguments):
        return -function(*arguments)

    return wrapper


@decorated_by
def no_decorator(a):
    return a


def calls_decorated(a):
    return no_decorator(a)


def make_closure(n):
    def closure(a):
        return a + n

    return closure


no_closure = make_closure(5)
no_named_lambda = lambda x: x + 1


def calls_closure(a):
    return no_closure(a)


def calls_named_lambda(a):
    return no_named_lambda(a)


def calls_lambda_in_a_table(a):
    return LAMBDAS["two"](a)
