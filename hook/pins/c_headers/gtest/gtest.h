/* clausefit's stand-in for GoogleTest, for tests of C code that stay within what C can say. */
#ifndef GOOGLETEST_INCLUDE_GTEST_GTEST_H_
#define GOOGLETEST_INCLUDE_GTEST_GTEST_H_
#define GTEST_INCLUDE_GTEST_GTEST_H_
#include <stdbool.h>
#include <stddef.h>
#define nullptr ((void *)0)
#define TEST(suite, name) void cf_test__##suite##__cf__##name(void)
#define TEST_F(suite, name) void cf_test__##suite##__cf__##name(void)
#define EXPECT_DEATH(statement, matcher) do { cf_death_begin(); statement; cf_death_end(); } while (0)
#define ASSERT_DEATH(statement, matcher) EXPECT_DEATH(statement, matcher)
#define EXPECT_DEATH_IF_SUPPORTED(statement, matcher) EXPECT_DEATH(statement, matcher)
#define ASSERT_DEATH_IF_SUPPORTED(statement, matcher) EXPECT_DEATH(statement, matcher)
#define EXPECT_EXIT(statement, predicate, matcher) do { cf_death_begin(); statement; cf_death_end_other(); } while (0)
#define ASSERT_EXIT(statement, predicate, matcher) EXPECT_EXIT(statement, predicate, matcher)
#define EXPECT_DEBUG_DEATH(statement, matcher) EXPECT_EXIT(statement, 0, matcher)
#define SCOPED_TRACE(message) ((void)0)
#define SUCCEED() ((void)0)
#endif
