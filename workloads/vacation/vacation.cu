// A travel agency after vacation of the STAMP benchmarks, with tables in place of trees. Customers look up prices, reserve
// the dearest of each kind of what they asked for, and cancel all that they have; prices change. Each request is a
// transaction, or holds the locks of its customer and its rows, in this order and rows in ascending order. How often a
// row and a customer were changed before is in the receipt: it tells the order of the requests.
#include "workloads/common/cuda_device.h"

enum { look_up, reserve, cancel, reprice };
enum { asked = 4, kinds = 3 };  // rows of a request, and reservations that a customer may have; kinds of rows

struct alignas(16) Row {
  u32 free, price, changes, lock;
};
/// What is reserved: row numbers counted from 1, all different, and their prices.
struct alignas(16) Customer {
  u32 bill, reservations, changes, lock;
  u32 row[asked], price[asked];
};
/// Rows are different and in ascending order.
struct alignas(16) Request {
  u32 kind, customer, price, unused;
  u32 rows[asked];
};
/// rows: twice the number of a row, counted from 1, and 1 more where the row was changed; 0 for none.
struct alignas(16) Receipt {
  u32 amount, customer_changes, unused[2];
  u32 rows[asked], changes[asked];
};

template <class R>
INLINE void serve_look_up(const Request& request, R* rows, Receipt& receipt) {
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) {
    R* row = &rows[request.rows[s]];
    receipt.amount += row->price;
    receipt.rows[s] = 2 * (request.rows[s] + 1);
    receipt.changes[s] = row->changes;
  }
}

template <class R>
INLINE void serve_reprice(const Request& request, R* rows, Receipt& receipt) {
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) {
    R* row = &rows[request.rows[s]];
    receipt.rows[s] = 2 * (request.rows[s] + 1) + 1;
    receipt.changes[s] = row->changes;
    row->price = request.price + s;
    row->changes = receipt.changes[s] + 1;
  }
}

template <class R, class C>
INLINE void serve_reserve(const Request& request, R* rows, C* customer, Receipt& receipt) {
  u32 reservations = customer->reservations;
  u32 has[asked];
  u32 price[asked];  // 0 where nothing can be had
  u32 free[asked];
  receipt.customer_changes = customer->changes;
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) has[s] = s < reservations ? customer->row[s] : 0;
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) {
    R* row = &rows[request.rows[s]];
    free[s] = row->free;
    price[s] = row->price;
    receipt.rows[s] = 2 * (request.rows[s] + 1);
    receipt.changes[s] = row->changes;
    bool has_it = false;
    #pragma unroll
    for (u32 t = 0; t < asked; ++t) has_it |= has[t] == request.rows[s] + 1;
    if (has_it || free[s] == 0) price[s] = 0;
  }
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) {
    bool chosen = price[s] != 0 && reservations < asked;
    #pragma unroll
    for (u32 t = 0; t < asked; ++t)
      if (t != s && request.rows[t] % kinds == request.rows[s] % kinds)
        chosen &= t < s ? price[t] < price[s] : price[t] <= price[s];
    if (chosen) {
      R* row = &rows[request.rows[s]];
      row->free = free[s] - 1;
      row->changes = receipt.changes[s] + 1;
      customer->row[reservations] = request.rows[s] + 1;
      customer->price[reservations] = price[s];
      ++reservations;
      receipt.amount += price[s];
      receipt.rows[s] += 1;
    }
  }
  if (receipt.amount != 0) {
    customer->bill = customer->bill + receipt.amount;
    customer->reservations = reservations;
    customer->changes = receipt.customer_changes + 1;
  }
}

template <class R, class C>
INLINE void serve_cancel(R* rows, C* customer, Receipt& receipt) {
  u32 reservations = customer->reservations;
  receipt.customer_changes = customer->changes;
  #pragma unroll
  for (u32 s = 0; s < asked; ++s) {
    u32 number = s < reservations ? customer->row[s] : 0;
    if (number != 0) {  // an attempt that will not commit may find 0
      R* row = &rows[number - 1];
      receipt.rows[s] = 2 * number + 1;
      receipt.changes[s] = row->changes;
      row->free = row->free + 1;
      row->changes = receipt.changes[s] + 1;
    }
  }
  if (reservations != 0) {
    receipt.amount = customer->bill;
    customer->bill = 0;
    customer->reservations = 0;
    customer->changes = receipt.customer_changes + 1;
  }
}

template <class R, class C>
INLINE void serve(const Request& request, R* rows, C* customers, Receipt& receipt) {
  receipt = {};
  C* customer = &customers[request.customer];
  if (request.kind == look_up) serve_look_up(request, rows, receipt);
  if (request.kind == reserve) serve_reserve(request, rows, customer, receipt);
  if (request.kind == cancel) serve_cancel(rows, customer, receipt);
  if (request.kind == reprice) serve_reprice(request, rows, receipt);
}

INLINE void put_in_order(u32& low, u32& high) {
  u32 least = smaller(low, high);
  high = larger(low, high);
  low = least;
}

KERNEL serve_locked(const Request* requests, u32 count, volatile Row* rows, volatile Customer* customers,
                    Receipt* receipts) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    Request request = requests[i];
    volatile Customer* customer = &customers[request.customer];
    bool locks_customer = request.kind == reserve || request.kind == cancel;
    Receipt receipt;
    u32 done = 0;
    // Who holds the last of all locks that are held finds its next one free: somebody always makes progress. No lane
    // holds a lock at the end of the body (with_lock).
    do {
      if (!locks_customer || take((u32*)&customer->lock)) {
        threadfence();
        u32 wanted[asked];  // rows counted from 1
        #pragma unroll
        for (u32 s = 0; s < asked; ++s) wanted[s] = request.rows[s] + 1;
        if (request.kind == cancel) {
          u32 reservations = customer->reservations;
          #pragma unroll
          for (u32 s = 0; s < asked; ++s) wanted[s] = s < reservations ? customer->row[s] : 0;
          put_in_order(wanted[0], wanted[1]);
          put_in_order(wanted[2], wanted[3]);
          put_in_order(wanted[0], wanted[2]);
          put_in_order(wanted[1], wanted[3]);
          put_in_order(wanted[1], wanted[2]);
        }
        u32 held = 0;
        bool has_all = true;
        #pragma unroll
        for (u32 s = 0; s < asked; ++s)
          if (has_all && wanted[s] != 0) {
            has_all = take((u32*)&rows[wanted[s] - 1].lock);
            held |= (has_all ? 1u : 0u) << s;
          }
        if (has_all) {
          threadfence();
          serve(request, rows, customers, receipt);
          done = 1;
        }
        threadfence();
        #pragma unroll
        for (u32 s = 0; s < asked; ++s)
          if (held >> s & 1) release((u32*)&rows[wanted[s] - 1].lock);
        if (locks_customer) release((u32*)&customer->lock);
      }
      asm volatile("" : "+r"(done));
    } while (!done);
    receipts[i] = receipt;
  }
}

KERNEL serve_transactional(const Request* requests, u32 count, Row* rows, Customer* customers, Receipt* receipts) {
  for (u32 i = global_thread(); i < count; i += global_threads()) {
    Request request = requests[i];
    Receipt receipt;
    transaction([&] { serve(request, rows, customers, receipt); });
    receipts[i] = receipt;
  }
}
