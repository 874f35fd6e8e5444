#include "window.h"

/* Drops the oldest sample and puts the new one last. */
/*@ requires some: size > 0;
    requires writable: \valid(window + (0 .. size - 1));
    assigns window[size - 1];
    ensures newest: window[size - 1] == sample;
    ensures moved: \forall integer k; 0 <= k < size - 1 ==> window[k] == \old(window[k + 1]);
*/
void window_push(int *window, unsigned size, int sample)
{
    /*@ loop invariant 0 <= i <= size - 1;
        loop invariant \forall integer k; 0 <= k < i ==> window[k] == \at(window[k + 1], Pre);
        loop invariant \forall integer k; i <= k < size ==> window[k] == \at(window[k], Pre);
        loop assigns i, window[0 .. size - 2];
        loop variant size - 1 - i;
    */
    for (unsigned i = 0; i < size - 1; i++)
        window[i] = window[i + 1];
    window[size - 1] = sample;
}

/*@ requires writable: \valid(window + (0 .. size - 1));
    assigns window[0 .. size - 1];
    ensures zero: \forall integer k; 0 <= k < size ==> window[k] == 0;
*/
void window_clear(int *window, unsigned size)
{
    /*@ loop invariant 0 <= i <= size;
        loop invariant \forall integer k; 0 <= k < i ==> window[k] == 0;
        loop assigns i, window[0 .. size - 1];
        loop variant size - i;
    */
    for (unsigned i = 0; i < size; i++)
        window[i] = 0;
}
