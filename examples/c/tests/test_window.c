#include <assert.h>

#include "../src/window.h"

static void test_push_moves_the_samples(void)
{
    int window[3] = {1, 2, 3};

    window_push(window, 3, 9);
    assert(window[0] == 2);
    assert(window[1] == 3);
    assert(window[2] == 9);
}

static void test_push_into_one_cell(void)
{
    int window[1] = {4};

    window_push(window, 1, 6);
    assert(window[0] == 6);
}

static void test_clear_leaves_the_rest(void)
{
    int window[3] = {5, 6, 7};

    window_clear(window, 2);
    assert(window[0] == 0);
    assert(window[1] == 0);
    assert(window[2] == 7);
}

int main(void)
{
    test_push_moves_the_samples();
    test_push_into_one_cell();
    test_clear_leaves_the_rest();
    return 0;
}
