#ifndef WINDOW_H
#define WINDOW_H

/* The last samples, oldest first. */

void window_push(int *window, unsigned size, int sample);
void window_clear(int *window, unsigned size);

#endif
