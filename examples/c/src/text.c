#include "text.h"

/* The value of a hexadecimal digit, or -1. */
/*@ assigns \nothing;
    behavior number:
      assumes '0' <= letter <= '9';
      ensures \result == letter - '0';
    behavior capital:
      assumes 'A' <= letter <= 'F';
      ensures \result == letter - 'A' + 10;
    behavior other:
      assumes !('0' <= letter <= '9') && !('A' <= letter <= 'F');
      ensures \result == -1;
    complete behaviors;
    disjoint behaviors;
*/
int hex_digit(char letter)
{
    if ('0' <= letter && letter <= '9')
        return letter - '0';
    if ('A' <= letter && letter <= 'F')
        return letter - 'A' + 10;
    return -1;
}

/* The length of a text that fills at most `limit` bytes. */
/*@ requires readable: \valid_read(text + (0 .. limit - 1));
    assigns \nothing;
    ensures bound: \result <= limit;
    ensures end: \result < limit ==> text[\result] == 0;
    ensures first: \forall integer k; 0 <= k < \result ==> text[k] != 0;
*/
unsigned text_length(const char *text, unsigned limit)
{
    unsigned length = 0;

    /*@ loop invariant 0 <= length <= limit;
        loop invariant \forall integer k; 0 <= k < length ==> text[k] != 0;
        loop assigns length;
        loop variant limit - length;
    */
    while (length < limit && text[length] != 0)
        length++;
    return length;
}
