/* clausefit's stand-in for Check: assertions stay calls, START_TEST becomes a plain function. */
#ifndef CHECK_H
#define CHECK_H
typedef struct Suite Suite;
typedef struct TCase TCase;
typedef struct SRunner SRunner;
typedef void (*SFun)(void);
enum print_output { CK_SILENT, CK_MINIMAL, CK_NORMAL, CK_VERBOSE, CK_ENV, CK_LAST };
enum fork_status { CK_FORK_GETENV, CK_FORK, CK_NOFORK };
Suite *suite_create(const char *name);
TCase *tcase_create(const char *name);
SRunner *srunner_create(Suite *suite);
int srunner_ntests_failed(SRunner *runner);
#define START_TEST(name) static void name(int _i)
#define END_TEST
#endif
