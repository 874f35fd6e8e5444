#include "buffers.h"

/*@ requires writable: \valid(values + (0 .. count - 1));
    assigns values[0 .. count - 1];
    ensures reversed: \forall integer k; 0 <= k < count ==> values[k] == \old(values[count - 1 - k]);
*/
void reverse(int *values, unsigned count)
{
    for (unsigned i = 0; i < count / 2; i++) {
        int value = values[i];
        values[i] = values[count - 1 - i];
        values[count - 1 - i] = value;
    }
}

/* Makes the letters from a to z large. */
/*@ requires writable: \valid(text + (0 .. length - 1));
    assigns text[0 .. length - 1];
    ensures letters: \forall integer k; 0 <= k < length && 'a' <= \old(text[k]) <= 'z' ==>
                     text[k] == \old(text[k]) - 'a' + 'A';
    ensures others: \forall integer k; 0 <= k < length && !('a' <= \old(text[k]) <= 'z') ==> text[k] == \old(text[k]);
*/
void capitals(char *text, unsigned length)
{
    for (unsigned i = 0; i < length; i++)
        if ('a' <= text[i] && text[i] <= 'z')
            text[i] = (char)(text[i] - 'a' + 'A');
}
