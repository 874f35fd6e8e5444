#ifndef STATS_H
#define STATS_H

/* Figures over samples that a sensor has sent. */

int clamp(int value, int low, int high);
int array_max(const int *values, unsigned count);
unsigned count_above(const int *values, unsigned count, int limit);
unsigned percent(unsigned done, unsigned total);

#endif
