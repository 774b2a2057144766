#include <numeric>

#include "workloads/common/compare.h"
#include "workloads/common/inputs.h"
#include "workloads/common/program.h"
#include "workloads/suite.h"

namespace syncline::workloads {

Verdict run_atm(const Context& context) {
  const std::uint32_t accounts = by_size(context.size, 1'000U, 20'000U, 1'000'000U, 1'000'000U);
  const std::uint32_t transfers = by_size(context.size, 4'000U, 60'000U, 600'000U, 49'152U);
  const std::vector<std::int32_t> opening(accounts, 1'000);
  const auto from = random_integers<std::uint32_t>(context.seed, "atm.from", transfers, accounts);
  const auto distance = random_integers<std::uint32_t>(context.seed, "atm.distance", transfers, accounts - 1);
  const auto amount = random_integers<std::int32_t>(context.seed, "atm.amount", transfers, 1'000);
  std::vector<std::uint32_t> to(transfers);  // never the account that pays
  for (std::uint32_t i = 0; i < transfers; ++i) to[i] = (from[i] + 1 + distance[i]) % accounts;

  Program program(context);
  const DevicePointer device_from = program.upload(from);
  const DevicePointer device_to = program.upload(to);
  const DevicePointer device_amount = program.upload(amount);
  const DevicePointer device_balance = program.upload(opening);
  const Launch launch = covering(transfers / 2, 192);
  std::vector<std::uint32_t> locks;
  if (context.choice("sync") == "tx") {
    program.launch("atm_transactional", launch, device_from, device_to, device_amount, transfers, device_balance);
  } else {
    const DevicePointer device_locks = program.allocate<std::uint32_t>(accounts);
    program.launch("atm", launch, device_from, device_to, device_amount, transfers, device_balance, device_locks);
    locks = program.download<std::uint32_t>(device_locks, accounts);
  }

  // An account may be overdrawn, so that transfers commute: every order gives the same balances.
  std::vector<std::int32_t> expected = opening;
  for (std::uint32_t i = 0; i < transfers; ++i) {
    expected[from[i]] -= amount[i];
    expected[to[i]] += amount[i];
  }
  const std::vector<std::int32_t> balance = program.download<std::int32_t>(device_balance, accounts);
  const auto sum = [](const std::vector<std::int32_t>& b) {
    return std::accumulate(b.begin(), b.end(), std::int64_t{});
  };
  return all_of({compare_exact<std::int64_t>("sum of the balances", {sum(balance)}, {sum(opening)}),
                 compare_exact("balance", balance, expected),
                 compare_exact("locks", locks, std::vector<std::uint32_t>(locks.size()))});
}

}  // namespace syncline::workloads
