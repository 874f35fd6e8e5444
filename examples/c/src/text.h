#ifndef TEXT_H
#define TEXT_H

/* Small helpers for messages of the sensor. */

int hex_digit(char letter);
unsigned text_length(const char *text, unsigned limit);

#endif
