#ifndef ACCOUNTS_H
#define ACCOUNTS_H

/* Accounts of the club's members, in cents. */

struct account {
    int id;
    int balance;
};

extern unsigned last_number;

void transfer(struct account *from, struct account *to, int amount);
unsigned take_numbers(unsigned count);

#endif
