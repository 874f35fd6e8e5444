#include "mini_unity.h"
#include "../src/text.h"

static void test_hex_digit(void)
{
    TEST_ASSERT_EQUAL_INT(7, hex_digit('7'));
    TEST_ASSERT_EQUAL_INT(11, hex_digit('B'));
    TEST_ASSERT_EQUAL_INT(-1, hex_digit('x'));
}

static void test_text_length(void)
{
    TEST_ASSERT_EQUAL_UINT(3, text_length("abc", 4));
    TEST_ASSERT_EQUAL_UINT(2, text_length("abc", 2));
    TEST_ASSERT_EQUAL_UINT(0, text_length("", 1));
}

int main(void)
{
    RUN_TEST(test_hex_digit);
    RUN_TEST(test_text_length);
    return failures == 0 ? 0 : 1;
}
