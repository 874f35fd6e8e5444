/* clausefit's stand-in for Unity's fixture add-on. */
#ifndef UNITY_FIXTURE_H_
#define UNITY_FIXTURE_H_
#include "unity.h"
#define TEST_GROUP(group)
#define TEST_SETUP(group) void cf_setup__##group(void)
#define TEST_TEAR_DOWN(group) void cf_tear_down__##group(void)
#define TEST(group, name) void cf_test__##group##__cf__##name(void)
#define IGNORE_TEST(group, name) static void cf_not_run__##group##__cf__##name(void)
#define TEST_GROUP_RUNNER(group) void cf_runner__##group(void)
#define RUN_TEST_CASE(group, name) cf_run_case__##group##__cf__##name()
#define RUN_TEST_GROUP(group) ((void)0)
#endif
