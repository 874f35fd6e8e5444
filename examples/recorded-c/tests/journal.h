#ifndef JOURNAL_H
#define JOURNAL_H

/* The tests' own log of all calls: JSON lines in the file that CLAUSEFIT_LOG names; without it, none. */

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

void journal(const char *format, ...) __attribute__((format(printf, 1, 2)));
void journal_ints(const int *values, unsigned count);
void journal_chars(const char *text, unsigned length);
void journal_end(void);

/* The same "random" numbers in each run. */
unsigned next_random(unsigned *state, unsigned below);

#endif
