#include "platform/stress/batch.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "platform/process/lack_of_memory.h"
#include "platform/stress/episode_run.h"
#include "platform/stress/judge.h"
#include "platform/stress/row_coverage.h"

namespace syncline::stress {
namespace {

/// What blocks need around them.
struct Surroundings {
  models::Scheduler scheduler{"scheduler"};
  models::MessagePool pool;
  base::StatisticsRegistry statistics;
  models::PlatformContext context{scheduler, pool, statistics};
};

/// What is left over in the blocks when all is done.
std::optional<std::string> leftovers(const Surroundings& around) {
  for (const models::Block* block : around.context.blocks) {
    for (const std::string& line : block->check_end_of_run()) return "left over: " + line;
  }
  if (around.pool.in_flight() != 0) return "left over: messages that nobody released";
  return std::nullopt;
}

std::string text_of(const BatchResult& result) {
  nlohmann::json json{{"episodes", result.episodes}, {"operations", result.operations}, {"rows", result.taken}};
  if (result.failure) json["failure"] = {{"episode", result.failure->episode}, {"what", result.failure->what}};
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

BatchResult read_result(const std::string& text) {
  BatchResult result;
  const nlohmann::json json = nlohmann::json::parse(text);
  json.at("episodes").get_to(result.episodes);
  json.at("operations").get_to(result.operations);
  json.at("rows").get_to(result.taken);
  if (json.contains("failure"))
    result.failure = {json["failure"]["episode"].get<std::size_t>(), json["failure"]["what"].get<std::string>()};
  return result;
}

int run_child(const Batch& batch, int out) {
  std::string text;
  try {
    text = text_of(run_batch(batch));
  } catch (const std::exception& error) {
    if (platform::is_lack_of_memory(error)) return static_cast<int>(base::ExitStatus::user_error);
    BatchResult result;
    result.failure = BatchResult::Failure{0, error.what()};
    text = text_of(result);
  }
  for (std::size_t written = 0; written < text.size();) {
    const ssize_t n = write(out, text.data() + written, text.size() - written);
    if (n < 0 && errno != EINTR) return 1;
    written += n > 0 ? static_cast<std::size_t>(n) : 0;
  }
  return 0;
}

std::string read_all(int in) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t n = read(in, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer, static_cast<std::size_t>(n));
  }
}

}  // namespace

BatchResult run_batch(const Batch& batch) {
  Surroundings around;
  MemorySystem system(around.context, batch.machine);
  EpisodeRunner runner("runner", around.context, system);
  BatchResult result;
  const auto fail = [&](std::string what) { result.failure = BatchResult::Failure{result.episodes, std::move(what)}; };
  try {
    for (const Episode& episode : batch.episodes) {
      const Record record = runner.run(episode);
      if (auto wrong = judge(episode, record, system.policy)) {
        fail(std::move(*wrong));
        break;
      }
      ++result.episodes;
      result.operations += episode.operations();
    }
    if (!result.failure) {
      sc_core::sc_start(100, sc_core::SC_US);  // acknowledgements that no core waits for arrive
      if (auto left = leftovers(around)) {
        --result.episodes;
        fail(std::move(*left));
      }
    }
  } catch (const base::ModelError& error) {
    fail(error.what());
  }
  result.taken = rows_taken(system);
  return result;
}

BatchProcess::BatchProcess(const Batch& batch) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw base::UserError(std::string("no pipe can be made: ") + std::strerror(errno));
  out_ = ends[0];
  try {
    process_ = platform::ChildProcess::fork_off([&] {
      close(ends[0]);
      return run_child(batch, ends[1]);
    });
  } catch (...) {
    close(ends[0]);
    close(ends[1]);
    throw;
  }
  close(ends[1]);
}

BatchProcess::~BatchProcess() {
  if (out_ >= 0) close(out_);
}

BatchResult BatchProcess::wait() {
  const std::string text = read_all(out_);
  const int status = process_.wait();
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return read_result(text);
  if (WIFEXITED(status) && WEXITSTATUS(status) == static_cast<int>(base::ExitStatus::user_error))
    throw base::UserError(platform::lack_of_memory_text);
  BatchResult result;
  result.failure = BatchResult::Failure{
      0, WIFSIGNALED(status) ? fmt::format("the simulation was ended by signal {}", WTERMSIG(status))
                             : fmt::format("the simulation ended with status {}", WEXITSTATUS(status))};
  return result;
}

}  // namespace syncline::stress
