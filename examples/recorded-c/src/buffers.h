#ifndef BUFFERS_H
#define BUFFERS_H

/* Buffers that are changed in place. */

void reverse(int *values, unsigned count);
void capitals(char *text, unsigned length);

#endif
