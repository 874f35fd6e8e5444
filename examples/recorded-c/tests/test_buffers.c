#include "journal.h"

#include <ctype.h>

#include "buffers.h"

#define MOST 7

static void observed_reverse(int *values, unsigned count)
{
    journal("{\"function\": \"reverse\", \"arguments\": {\"values\": {\"ref\": \"A\"}, \"count\": %u},"
            " \"before\": {\"A\": ", count);
    journal_ints(values, count);
    reverse(values, count);
    journal("}, \"after\": {\"A\": ");
    journal_ints(values, count);
    journal("}}");
    journal_end();
}

static void observed_capitals(char *text, unsigned length)
{
    journal("{\"function\": \"capitals\", \"arguments\": {\"text\": {\"ref\": \"A\"}, \"length\": %u},"
            " \"before\": {\"A\": ", length);
    journal_chars(text, length);
    capitals(text, length);
    journal("}, \"after\": {\"A\": ");
    journal_chars(text, length);
    journal("}}");
    journal_end();
}

/* Twice reversed is as before; once reversed, each value has its mirror's place. */
static void test_reverse_is_its_own_inverse(void **state)
{
    unsigned seed = 3;

    (void)state;
    for (int round = 0; round < 12; round++) {
        int values[MOST], original[MOST];
        unsigned count = 1 + next_random(&seed, MOST);
        for (unsigned i = 0; i < count; i++)
            original[i] = values[i] = (int)next_random(&seed, 200) - 100;
        observed_reverse(values, count);
        for (unsigned i = 0; i < count; i++)
            assert_int_equal(values[i], original[count - 1 - i]);
        observed_reverse(values, count);
        assert_memory_equal(values, original, count * sizeof *values);
    }
}

/* Against the C library. */
static void test_capitals_like_toupper(void **state)
{
    unsigned seed = 19;

    (void)state;
    for (int round = 0; round < 20; round++) {
        char text[MOST], original[MOST];
        unsigned length = 1 + next_random(&seed, MOST);
        for (unsigned i = 0; i < length; i++)
            text[i] = original[i] = (char)(' ' + next_random(&seed, 95));
        observed_capitals(text, length);
        for (unsigned i = 0; i < length; i++)
            assert_int_equal(text[i], toupper(original[i]));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_reverse_is_its_own_inverse),
        cmocka_unit_test(test_capitals_like_toupper),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
