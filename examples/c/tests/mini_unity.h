#ifndef MINI_UNITY_H
#define MINI_UNITY_H

/* The few macros of the Unity style that the tests need; a real project would use Unity itself. */

#include <stdio.h>

static int failures;

#define TEST_ASSERT_EQUAL_INT(expected, actual)                                        \
    do {                                                                               \
        if ((expected) != (actual)) {                                                  \
            printf("%s:%d: expected %d, got %d\n", __FILE__, __LINE__, (int)(expected), (int)(actual)); \
            failures++;                                                                \
        }                                                                              \
    } while (0)

#define TEST_ASSERT_EQUAL_UINT(expected, actual) TEST_ASSERT_EQUAL_INT(expected, actual)

#define RUN_TEST(test) test()

#endif
