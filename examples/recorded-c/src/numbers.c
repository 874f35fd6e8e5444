#include "numbers.h"

/* The greatest common divisor. */
/*@ requires some: a > 0 || b > 0;
    assigns \nothing;
    ensures divides: \result > 0 && a % \result == 0 && b % \result == 0;
*/
unsigned gcd(unsigned a, unsigned b)
{
    return b == 0 ? a : gcd(b, a % b);
}

/* How far the values are apart. */
/*@ requires some: count > 0;
    requires readable: \valid_read(values + (0 .. count - 1));
    requires small: \forall integer k; 0 <= k < count ==> -1000000 <= values[k] <= 1000000;
    assigns \nothing;
    ensures positive: \result > 0;
    ensures reached: \exists integer i, j; 0 <= i < count && 0 <= j < count && \result == values[i] - values[j];
    ensures widest: \forall integer i, j; 0 <= i < count && 0 <= j < count ==> values[i] - values[j] <= \result;
*/
int spread(const int *values, unsigned count)
{
    int low = values[0], high = values[0];

    for (unsigned i = 1; i < count; i++) {
        low = values[i] < low ? values[i] : low;
        high = values[i] > high ? values[i] : high;
    }
    return high - low;
}

/* Where a value stands in a rising row, or -1. */
/*@ requires readable: \valid_read(sorted + (0 .. count - 1));
    requires rising: \forall integer i, j; 0 <= i < j < count ==> sorted[i] < sorted[j];
    requires small: count <= 1000000;
    assigns \nothing;
    ensures found: \result != -1 ==> 0 <= \result < count && sorted[\result] == key;
    ensures missing: \result == -1 ==> \forall integer k; 0 <= k < count ==> sorted[k] != key;
*/
int position(const int *sorted, unsigned count, int key)
{
    unsigned middle = count / 2;

    if (count == 0)
        return -1;
    if (sorted[middle] == key)
        return (int)middle;
    if (key < sorted[middle])
        return position(sorted, middle, key);
    int behind = position(sorted + middle + 1, count - middle - 1, key);
    return behind == -1 ? -1 : (int)middle + 1 + behind;
}
