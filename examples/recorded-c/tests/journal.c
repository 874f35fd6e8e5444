#include "journal.h"

#include <stdio.h>
#include <stdlib.h>

static FILE *opened(void)
{
    static FILE *file;
    const char *name = getenv("CLAUSEFIT_LOG");

    if (file == NULL && name != NULL) {
        file = fopen(name, "a");
        assert_non_null(file);
    }
    return file;
}

void journal(const char *format, ...)
{
    va_list arguments;

    if (opened() == NULL)
        return;
    va_start(arguments, format);
    vfprintf(opened(), format, arguments);
    va_end(arguments);
}

void journal_ints(const int *values, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        journal("%s%d", i == 0 ? "[" : ", ", values[i]);
    journal(count == 0 ? "[]" : "]");
}

void journal_chars(const char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        journal("%s%d", i == 0 ? "[" : ", ", text[i]);
    journal(length == 0 ? "[]" : "]");
}

/* Written out line by line: a child process must not inherit half a line. */
void journal_end(void)
{
    journal("\n");
    if (opened() != NULL)
        fflush(opened());
}

unsigned next_random(unsigned *state, unsigned below)
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 8) % below;
}
