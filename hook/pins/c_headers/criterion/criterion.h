/* clausefit's stand-in for Criterion: assertions stay calls, a test's settings become a variable beside it. */
#ifndef CRITERION_H_
#define CRITERION_H_
#include <stdbool.h>
#include <stddef.h>
#define Test(suite, name, ...)                                                                       \
    static const struct cf_settings cf_settings__##suite##__cf__##name = { 0, __VA_ARGS__ };         \
    void cf_test__##suite##__cf__##name(void)
#define TestSuite(suite, ...) static const struct cf_settings cf_settings__##suite = { 0, __VA_ARGS__ }
#define ParameterizedTest(parameter, suite, name, ...) void cf_test__##suite##__cf__##name(parameter)
#define ParameterizedTestParameters(suite, name) static int cf_parameters__##suite##__cf__##name(void)
#define Theory(parameters, suite, name, ...) static void cf_theory__##suite##__cf__##name parameters
#endif
