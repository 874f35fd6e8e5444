/* clausefit's stand-in for cmocka: assertions stay calls, registrations stay visible. */
#ifndef CMOCKA_H_
#define CMOCKA_H_
typedef unsigned long LargestIntegralType;
typedef unsigned long uintmax_cf;
typedef void (*CMUnitTestFunction)(void **state);
typedef int (*CMFixtureFunction)(void **state);
struct CMUnitTest {
    const char *name;
    CMUnitTestFunction test_func;
    CMFixtureFunction setup_func;
    CMFixtureFunction teardown_func;
    void *initial_state;
};
#define cmocka_unit_test(f) { #f, f, 0, 0, 0 }
#define cmocka_unit_test_setup(f, s) { #f, f, s, 0, 0 }
#define cmocka_unit_test_teardown(f, t) { #f, f, 0, t, 0 }
#define cmocka_unit_test_setup_teardown(f, s, t) { #f, f, s, t, 0 }
#define cmocka_unit_test_prestate(f, p) { #f, f, 0, 0, p }
#define cmocka_unit_test_prestate_setup_teardown(f, s, t, p) { #f, f, s, t, p }
#define mock_type(type) ((type) cf_mock())
#define mock_ptr_type(type) ((type) cf_mock())
#define expect_assert_failure(call) do { cf_death_begin(); call; cf_death_end_here(); } while (0)
#endif
