#include "accounts.h"

#include <assert.h>

unsigned last_number;

/* Moves money; from an account to itself nothing changes. */
/*@ requires usable: \valid(from) && \valid(to);
    requires room: amount <= 1000000 && to->balance <= 1000000;
    requires covered: 0 <= amount <= from->balance;
    assigns from->balance, to->balance;
    behavior same:
      assumes from == to;
      ensures kept: from->balance == \old(from->balance);
    behavior other:
      assumes from != to;
      ensures taken: from->balance == \old(from->balance) - amount;
      ensures given: to->balance == \old(to->balance) + amount;
    complete behaviors;
    disjoint behaviors;
*/
void transfer(struct account *from, struct account *to, int amount)
{
    assert(0 <= amount && amount <= from->balance);
    from->balance -= amount;
    to->balance += amount;
}

/* Takes some of the receipts' numbers and says which is the first. */
/*@ requires some: 0 < count <= 1000;
    requires room: last_number <= 1000000;
    assigns last_number;
    ensures counted: last_number == \old(last_number) + count;
    ensures first: \result == \old(last_number) + 1;
*/
unsigned take_numbers(unsigned count)
{
    unsigned first = last_number + 1;

    last_number += count;
    return first;
}
