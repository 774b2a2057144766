#include <algorithm>

#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"
#include "workloads/vacation/agency.h"

namespace syncline::workloads {
namespace {

using vacation::Agency;
using vacation::Customer;
using vacation::Kind;
using vacation::Receipt;
using vacation::Request;
using vacation::Row;

Agency open_agency(std::uint32_t rows, std::uint32_t customers, std::uint64_t seed) {
  Agency agency{std::vector<Row>(rows), std::vector<Customer>(customers)};
  base::Random random(seed, "vacation.rows");
  for (Row& row : agency.rows) row = {1 + random.below(4), 50 + random.below(500), 0, 0};
  return agency;
}

/// Of ten requests one changes prices, two cancel, two look prices up and five reserve. `contention` percent of the
/// customers and rows are of the first 32nd.
std::vector<Request> random_requests(const Agency& agency, std::uint32_t count, std::uint32_t contention,
                                     std::uint64_t seed) {
  base::Random random(seed, "vacation.requests");
  const auto below = [&](std::size_t size) {
    const auto all = static_cast<std::uint32_t>(size);
    return random.below(random.below(100) < contention ? all / 32 : all);
  };
  std::vector<Request> requests(count);
  for (Request& request : requests) {
    const std::uint32_t chance = random.below(10);
    request.kind = chance == 0 ? Kind::reprice : chance < 3 ? Kind::cancel : chance < 5 ? Kind::look_up : Kind::reserve;
    request.customer = below(agency.customers.size());
    request.price = 50 + random.below(500);
    for (auto to = request.rows.begin(); to != request.rows.end();) {
      *to = below(agency.rows.size());
      if (std::find(request.rows.begin(), to, *to) == to) ++to;
    }
    std::sort(request.rows.begin(), request.rows.end());
  }
  return requests;
}

}  // namespace

Verdict run_vacation(const Context& context) {
  const std::uint32_t rows = by_size(context.size, 1'536U, 6'144U, 49'152U);
  const std::uint32_t customers = by_size(context.size, 1'024U, 4'096U, 32'768U);
  const std::uint32_t count = by_size(context.size, 1'000U, 30'000U, 300'000U);
  const Agency before = open_agency(rows, customers, context.seed);
  const std::vector<Request> requests = random_requests(before, count, context.number("contention"), context.seed);

  Program program(context);
  const DevicePointer device_requests = program.upload(requests);
  const DevicePointer device_rows = program.upload(before.rows);
  const DevicePointer device_customers = program.upload(before.customers);
  const DevicePointer receipts = program.allocate<Receipt>(count);
  program.launch(context.choice("sync") == "tx" ? "serve_transactional" : "serve_locked", covering(count / 2, 128),
                 device_requests, count, device_rows, device_customers, receipts);
  return vacation::check_agency(
      before, requests, program.download<Receipt>(receipts, count),
      {program.download<Row>(device_rows, rows), program.download<Customer>(device_customers, customers)});
}

}  // namespace syncline::workloads
