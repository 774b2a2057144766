#include "workloads/vacation/agency.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "workloads/common/compare.h"
#include "workloads/common/serial_order.h"

namespace syncline::workloads::vacation {
namespace {

void note(Receipt& receipt, std::size_t place, std::uint32_t row, std::uint32_t changes, bool is_changed) {
  receipt.rows[place] = 2 * (row + 1) + (is_changed ? 1 : 0);
  receipt.changes[place] = changes;
}

/// The place in the request of the dearest row of a kind that can be had and that the customer has not.
std::optional<std::size_t> dearest(const Agency& agency, const Request& request, std::uint32_t kind,
                                   const std::vector<std::uint32_t>& has) {
  std::optional<std::size_t> best;
  for (std::size_t place = 0; place < asked; ++place) {
    const std::uint32_t number = request.rows[place];
    const Row& row = agency.rows[number];
    if (number % kinds != kind || row.free == 0 || std::count(has.begin(), has.end(), number + 1) != 0) continue;
    if (!best || row.price > agency.rows[request.rows[*best]].price) best = place;
  }
  return best;
}

Receipt reserve(Agency& agency, const Request& request) {
  Receipt receipt;
  Customer& customer = agency.customers[request.customer];
  receipt.customer_changes = customer.changes;
  const std::vector<std::uint32_t> has(customer.row.begin(), customer.row.begin() + customer.reservations);
  std::vector<std::size_t> chosen;
  for (std::uint32_t kind = 0; kind < kinds; ++kind) {
    const auto best = dearest(agency, request, kind, has);
    if (best) chosen.push_back(*best);
  }
  std::sort(chosen.begin(), chosen.end());
  chosen.resize(std::min<std::size_t>(chosen.size(), asked - customer.reservations));
  for (std::size_t place = 0; place < asked; ++place)
    note(receipt, place, request.rows[place], agency.rows[request.rows[place]].changes,
         std::count(chosen.begin(), chosen.end(), place) != 0);
  for (const std::size_t place : chosen) {
    Row& row = agency.rows[request.rows[place]];
    --row.free;
    ++row.changes;
    customer.row[customer.reservations] = request.rows[place] + 1;
    customer.price[customer.reservations++] = row.price;
    receipt.amount += row.price;
  }
  customer.bill += receipt.amount;
  if (!chosen.empty()) ++customer.changes;
  return receipt;
}

Receipt cancel(Agency& agency, const Request& request) {
  Receipt receipt;
  Customer& customer = agency.customers[request.customer];
  receipt.customer_changes = customer.changes;
  receipt.amount = customer.bill;
  for (std::size_t place = 0; place < customer.reservations; ++place) {
    Row& row = agency.rows[customer.row[place] - 1];
    note(receipt, place, customer.row[place] - 1, row.changes++, true);
    ++row.free;
  }
  if (customer.reservations != 0) ++customer.changes;
  customer.bill = 0;
  customer.reservations = 0;
  return receipt;
}

bool accesses_customer(const Request& request) {
  return request.kind == Kind::reserve || request.kind == Kind::cancel;
}

/// Customers are the objects behind the rows.
std::vector<Sight> sights_of(const Request& request, const Receipt& receipt, std::uint32_t rows) {
  std::vector<Sight> sights;
  if (accesses_customer(request))
    sights.push_back({rows + request.customer, receipt.customer_changes, receipt.amount != 0});
  for (std::size_t place = 0; place < asked; ++place)
    if (receipt.rows[place] != 0)
      sights.push_back({receipt.rows[place] / 2 - 1, receipt.changes[place], receipt.rows[place] % 2 != 0});
  return sights;
}

std::vector<std::uint32_t> words(const Receipt& receipt) {
  std::vector<std::uint32_t> all{receipt.amount, receipt.customer_changes};
  all.insert(all.end(), receipt.rows.begin(), receipt.rows.end());
  all.insert(all.end(), receipt.changes.begin(), receipt.changes.end());
  return all;
}

std::vector<std::uint32_t> words(const Agency& agency) {
  std::vector<std::uint32_t> all;
  for (const Row& row : agency.rows) all.insert(all.end(), {row.free, row.price, row.changes, row.lock});
  for (const Customer& one : agency.customers) {
    all.insert(all.end(), {one.bill, one.reservations, one.changes, one.lock});
    all.insert(all.end(), one.row.begin(), one.row.end());
    all.insert(all.end(), one.price.begin(), one.price.end());
  }
  return all;
}

}  // namespace

Receipt serve(Agency& agency, const Request& request) {
  if (request.kind == Kind::reserve) return reserve(agency, request);
  if (request.kind == Kind::cancel) return cancel(agency, request);
  Receipt receipt;
  for (std::size_t place = 0; place < asked; ++place) {
    Row& row = agency.rows[request.rows[place]];
    note(receipt, place, request.rows[place], row.changes, request.kind == Kind::reprice);
    if (request.kind == Kind::look_up) {
      receipt.amount += row.price;
    } else {
      row.price = request.price + static_cast<std::uint32_t>(place);
      ++row.changes;
    }
  }
  return receipt;
}

Verdict check_agency(const Agency& before, const std::vector<Request>& requests, const std::vector<Receipt>& receipts,
                     const Agency& after) {
  const auto rows = static_cast<std::uint32_t>(before.rows.size());
  std::vector<std::vector<Sight>> sights;
  for (std::size_t i = 0; i < requests.size(); ++i) sights.push_back(sights_of(requests[i], receipts[i], rows));
  const SerialOrder order = serial_order(rows + static_cast<std::uint32_t>(before.customers.size()), sights);
  if (!order.wrong.empty()) return {false, order.wrong};
  Agency agency = before;
  std::array<std::size_t, 4> served{};
  for (const std::uint32_t i : order.operations) {
    Verdict same = compare_exact(fmt::format("receipt {}", i), words(receipts[i]), words(serve(agency, requests[i])));
    if (!same.verified) return same;
    served[static_cast<std::size_t>(requests[i].kind)] += receipts[i].amount != 0 ? 1 : 0;
  }
  return all_of({{true, fmt::format("{} requests are in an order, of which {} reserve and {} cancel something",
                                    requests.size(), served[static_cast<std::size_t>(Kind::reserve)],
                                    served[static_cast<std::size_t>(Kind::cancel)])},
                 compare_exact("agency", words(after), words(agency))});
}

}  // namespace syncline::workloads::vacation
