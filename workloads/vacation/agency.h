// The check of the travel agency: one order of the requests explains all receipts and all that is left.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "workloads/common/workload.h"

namespace syncline::workloads::vacation {

constexpr std::uint32_t asked = 4;  ///< rows of a request, and reservations that a customer may have
constexpr std::uint32_t kinds = 3;  ///< of rows: row r is of kind r % kinds

/// The kernels' values of Request::kind.
enum class Kind : std::uint32_t { look_up, reserve, cancel, reprice };

// The kernels' elements.

struct Row {
  std::uint32_t free = 0;
  std::uint32_t price = 0;
  std::uint32_t changes = 0;
  std::uint32_t lock = 0;
};
/// What is reserved: numbers of rows counted from 1, and the prices at which they were reserved.
struct Customer {
  std::uint32_t bill = 0;
  std::uint32_t reservations = 0;
  std::uint32_t changes = 0;
  std::uint32_t lock = 0;
  std::array<std::uint32_t, asked> row{};
  std::array<std::uint32_t, asked> price{};
};
struct Request {
  Kind kind = Kind::look_up;
  std::uint32_t customer = 0;
  std::uint32_t price = 0;  ///< of the first row when prices change; each next row costs 1 more
  std::uint32_t unused = 0;
  std::array<std::uint32_t, asked> rows{};  ///< different, in ascending order
};
/// What a request did and saw. rows: twice the number of a row, counted from 1, and 1 more where it was changed; 0 for
/// none. changes: how often it had been changed before.
struct Receipt {
  std::uint32_t amount = 0;
  std::uint32_t customer_changes = 0;
  std::array<std::uint32_t, 2> unused{};
  std::array<std::uint32_t, asked> rows{};
  std::array<std::uint32_t, asked> changes{};
};

struct Agency {
  std::vector<Row> rows;
  std::vector<Customer> customers;
};

/// Serves a request as if it were alone.
Receipt serve(Agency& agency, const Request& request);

/// Verifies when there is an order of the requests in which each, served alone, has its receipt, and which makes
/// `before` `after`.
Verdict check_agency(const Agency& before, const std::vector<Request>& requests, const std::vector<Receipt>& receipts,
                     const Agency& after);

}  // namespace syncline::workloads::vacation
