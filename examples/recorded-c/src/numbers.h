#ifndef NUMBERS_H
#define NUMBERS_H

/* Figures about amounts. */

unsigned gcd(unsigned a, unsigned b);
int spread(const int *values, unsigned count);
int position(const int *sorted, unsigned count, int key);

#endif
