#include "journal.h"

#include "numbers.h"

#define MOST 6

/* The calls that gcd() makes of itself give what the first one gives: they are logged, too, as inner ones. */
static unsigned observed_gcd(unsigned a, unsigned b)
{
    unsigned result = gcd(a, b), inner = 0;

    for (;; inner = 1) {
        journal("{\"function\": \"gcd\", \"arguments\": {\"a\": %u, \"b\": %u}, \"result\": %u, \"inner\": %s}", a, b,
                result, inner ? "true" : "false");
        journal_end();
        if (b == 0)
            return result;
        unsigned rest = a % b;
        a = b;
        b = rest;
    }
}

static int observed_spread(const int *values, unsigned count)
{
    int result = spread(values, count);

    journal("{\"function\": \"spread\", \"arguments\": {\"values\": {\"ref\": \"A\"}, \"count\": %u},"
            " \"before\": {\"A\": ", count);
    journal_ints(values, count);
    journal("}, \"after\": {\"A\": ");
    journal_ints(values, count);
    journal("}, \"result\": %d}", result);
    journal_end();
    return result;
}

static void log_position(const int *sorted, unsigned count, int key, int result, int inner)
{
    journal("{\"function\": \"position\", \"arguments\": {\"sorted\": {\"ref\": \"A\"}, \"count\": %u, \"key\": %d},"
            " \"before\": {\"A\": ", count, key);
    journal_ints(sorted, count);
    journal("}, \"after\": {\"A\": ");
    journal_ints(sorted, count);
    journal("}, \"result\": %d, \"inner\": %s}", result, inner ? "true" : "false");
    journal_end();
}

/* The inner calls see a part of the row, and their results count from its start. */
static int observed_position(const int *sorted, unsigned count, int key)
{
    int result = position(sorted, count, key), rest = result;

    log_position(sorted, count, key, rest, 0);
    while (count > 0 && sorted[count / 2] != key) {
        unsigned behind = count / 2 + 1;
        if (key < sorted[count / 2]) {
            count /= 2;
        } else {
            sorted += behind;
            count -= behind;
            rest = rest == -1 ? -1 : rest - (int)behind;
        }
        log_position(sorted, count, key, rest, 1);
    }
    return result;
}

/* A number that divides both, and no larger one does. */
static void test_gcd_is_the_greatest(void **state)
{
    unsigned seed = 23;

    (void)state;
    for (int round = 0; round < 25; round++) {
        unsigned a = 1 + next_random(&seed, 20), b = next_random(&seed, 15), found = observed_gcd(a, b);
        assert_int_equal(a % found, 0);
        assert_int_equal(b % found, 0);
        for (unsigned larger = found + 1; larger <= a; larger++)
            assert_false(a % larger == 0 && b % larger == 0);
    }
}

/* Against the simplest way to say it: the largest of all differences. */
static void test_spread_like_all_differences(void **state)
{
    unsigned seed = 7;

    (void)state;
    for (unsigned range = 1; range < 100; range += 5) {
        int values[MOST], expected = 0;
        unsigned count = 1 + next_random(&seed, MOST);
        for (unsigned i = 0; i < count; i++)
            values[i] = (int)next_random(&seed, range) - 20;
        for (unsigned i = 0; i < count; i++)
            for (unsigned j = 0; j < count; j++)
                if (values[i] - values[j] > expected)
                    expected = values[i] - values[j];
        assert_int_equal(observed_spread(values, count), expected);
    }
}

static void test_position_finds_each(void **state)
{
    unsigned seed = 13;

    (void)state;
    for (unsigned count = 1; count <= MOST; count++) {
        int sorted[MOST], last = -10;
        for (unsigned i = 0; i < count; i++)
            sorted[i] = last += 2 + (int)next_random(&seed, 5);
        for (unsigned i = 0; i < count; i++) {
            assert_int_equal(observed_position(sorted, count, sorted[i]), i);
            assert_int_equal(observed_position(sorted, count, sorted[i] - 1), -1);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gcd_is_the_greatest),
        cmocka_unit_test(test_spread_like_all_differences),
        cmocka_unit_test(test_position_finds_each),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
