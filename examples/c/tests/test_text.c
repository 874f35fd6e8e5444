#include <assert.h>
#include "../src/text.h"

static void test_hex_digit(void)
{
    assert(hex_digit('7') == 7);
    assert(hex_digit('B') == 11);
    assert(hex_digit('x') == -1);
}

static void test_text_length(void)
{
    assert(text_length("abc", 4) == 3);
    assert(text_length("abc", 2) == 2);
    assert(text_length("", 1) == 0);
}

int main(void)
{
    test_hex_digit();
    test_text_length();
    return 0;
}
