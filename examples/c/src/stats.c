#include "stats.h"

/*@ requires order: low <= high;
    assigns \nothing;
    behavior below:
      assumes value < low;
      ensures \result == low;
    behavior inside:
      assumes low <= value <= high;
      ensures \result == value;
    behavior above:
      assumes value > high;
      ensures \result == high;
    complete behaviors;
    disjoint behaviors;
*/
int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

/*@ requires some: count > 0;
    requires readable: \valid_read(values + (0 .. count - 1));
    assigns \nothing;
    ensures bound: \forall integer k; 0 <= k < count ==> values[k] <= \result;
    ensures member: \exists integer k; 0 <= k < count && values[k] == \result;
*/
int array_max(const int *values, unsigned count)
{
    int max = values[0];

    /*@ loop invariant 1 <= i <= count;
        loop invariant \forall integer k; 0 <= k < i ==> values[k] <= max;
        loop invariant \exists integer k; 0 <= k < i && values[k] == max;
        loop assigns i, max;
        loop variant count - i;
    */
    for (unsigned i = 1; i < count; i++)
        if (values[i] > max)
            max = values[i];
    return max;
}

/* How many samples exceed the limit. */
/*@ requires readable: \valid_read(values + (0 .. count - 1));
    assigns \nothing;
    ensures counted: 0 <= \result;
*/
unsigned count_above(const int *values, unsigned count, int limit)
{
    unsigned above = 0;

    /*@ loop invariant 0 <= above <= i <= count;
        loop assigns i, above;
        loop variant count - i;
    */
    for (unsigned i = 0; i < count; i++)
        if (values[i] > limit)
            above++;
    return above;
}

/* The part of the work that is done, in whole percent. */
/*@ requires some: 0 < total <= 1000000;
    requires part: done <= total;
    assigns \nothing;
    ensures share: \result == done * 100 / total;
    ensures range: \result < 100;
*/
unsigned percent(unsigned done, unsigned total)
{
    return done * 100 / total;
}
