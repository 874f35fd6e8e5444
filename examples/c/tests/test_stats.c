#include <assert.h>

#include "../src/stats.h"

static void test_clamp(void)
{
    assert(clamp(5, 0, 10) == 5);
    assert(clamp(-3, 0, 10) == 0);
    assert(clamp(12, 0, 10) == 10);
    assert(clamp(10, 0, 10) == 10);
}

static void test_array_max(void)
{
    int falling[3] = {9, 4, 1};
    int mixed[4] = {-7, 3, 8, -2};

    assert(array_max(falling, 3) == 9);
    assert(array_max(mixed, 4) == 8);
    assert(array_max(mixed, 1) == -7);
}

static void test_count_above(void)
{
    int samples[4] = {3, 11, 7, 20};

    assert(count_above(samples, 4, 5) == 3);
    assert(count_above(samples, 4, 20) == 0);
    assert(count_above(samples, 2, 10) == 1);
}

static void test_percent(void)
{
    assert(percent(0, 4) == 0);
    assert(percent(1, 3) == 33);
    assert(percent(4, 4) == 100);
}

int main(void)
{
    test_clamp();
    test_array_max();
    test_count_above();
    test_percent();
    return 0;
}
