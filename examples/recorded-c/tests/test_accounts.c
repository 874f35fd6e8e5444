#include "journal.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "accounts.h"

#define MEMBERS 4

static void log_account(struct account member)
{
    journal("{\"id\": %d, \"balance\": %d}", member.id, member.balance);
}

static void log_transfer(struct account before[2], struct account after[2], int same, int amount, const char *failed)
{
    journal("{\"function\": \"transfer\", \"arguments\": {\"from\": {\"ref\": \"A\"}, \"to\": {\"ref\": \"%s\"},"
            " \"amount\": %d}, \"before\": {\"A\": ", same ? "A" : "B", amount);
    log_account(before[0]);
    if (!same) {
        journal(", \"B\": ");
        log_account(before[1]);
    }
    if (failed != NULL) {
        journal("}, \"failed\": \"%s\"}", failed);
    } else {
        journal("}, \"after\": {\"A\": ");
        log_account(after[0]);
        if (!same) {
            journal(", \"B\": ");
            log_account(after[1]);
        }
        journal("}}");
    }
    journal_end();
}

static void observed_transfer(struct account *from, struct account *to, int amount)
{
    struct account before[2] = {*from, *to};

    transfer(from, to, amount);
    struct account after[2] = {*from, *to};
    log_transfer(before, after, from == to, amount, NULL);
}

static int total(const struct account *members)
{
    int sum = 0;

    for (int i = 0; i < MEMBERS; i++)
        sum += members[i].balance;
    return sum;
}

/* Whoever pays whom, the club's money stays the same; from == to is among them. */
static void test_transfers_keep_the_total(void **state)
{
    struct account members[MEMBERS];
    unsigned seed = 11;

    (void)state;
    for (int i = 0; i < MEMBERS; i++)
        members[i] = (struct account){i + 1, (int)next_random(&seed, 50)};
    int before = total(members);
    for (int from = 0; from < MEMBERS; from++)
        for (int to = 0; to < MEMBERS; to++) {
            int had = members[from].balance, amount = (int)next_random(&seed, (unsigned)had + 1);
            observed_transfer(&members[from], &members[to], amount);
            assert_int_equal(total(members), before);
            assert_int_equal(members[from].balance, from == to ? had : had - amount);
        }
}

/* Paying more than there is ends the program: in a child, so that this test goes on. */
static void test_no_debts(void **state)
{
    unsigned seed = 5;

    (void)state;
    for (int balance = 0; balance < 2; balance++) {
        struct account pair[2] = {{1, balance}, {2, (int)next_random(&seed, 9)}};
        int amount = balance + 1 + (int)next_random(&seed, 3), status;
        pid_t child = fork();

        if (child == 0) {
            fclose(stderr);
            signal(SIGABRT, SIG_DFL);
            transfer(&pair[0], &pair[1], amount);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
        log_transfer(pair, pair, 0, amount, "abort");
    }
}

/* Nobody gets a number twice: the next ones begin where the last ones end. */
static void test_numbers_are_given_once(void **state)
{
    unsigned seed = 17, next = last_number + 1;

    (void)state;
    for (int round = 0; round < 8; round++) {
        unsigned count = 1 + next_random(&seed, 5), before = last_number, first = take_numbers(count);
        journal("{\"function\": \"take_numbers\", \"arguments\": {\"count\": %u}, \"before\": {\"last_number\": %u},"
                " \"after\": {\"last_number\": %u}, \"result\": %u}", count, before, last_number, first);
        journal_end();
        assert_int_equal(first, next);
        next = first + count;
    }
    assert_int_equal(last_number + 1, next);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_transfers_keep_the_total),
        cmocka_unit_test(test_no_debts),
        cmocka_unit_test(test_numbers_are_given_once),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
