// The files that one call leaves behind: whole, and all of them or none.
#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "platform/process/temporary_file.h"

namespace syncline::platform {

/// One of these files. What is written goes to a file beside the target, under a name that nobody can foresee, and
/// takes the target's place in the end: the target keeps its mode and owner. A symbolic link stays, and what it leads
/// to is the target. A file that has several names (hard links), an access list, or an owner that the new one cannot
/// have keeps them: its contents are replaced, last of all. What exists and is no regular file (a device, a named
/// pipe), or has no name any more, is written directly, as the text comes.
class OutputPath {
 public:
  /// Who writes: this process to `descriptor`, or somebody who takes the name `written`. Where he cannot write to the
  /// target directly, what he wrote is copied there in the end.
  enum class Writer : std::uint8_t { by_descriptor, by_name };

  /// Outputs::add makes them.
  OutputPath(std::string path, std::string asked_by, Writer writer, const std::string& ending);
  OutputPath(const OutputPath&) = delete;
  OutputPath& operator=(const OutputPath&) = delete;
  ~OutputPath();

  const std::string& name() const { return path_; }  ///< as given, for messages
  int descriptor() const { return is_direct() ? target_descriptor_ : file_.descriptor(); }
  const std::filesystem::path& written() const { return file_.path(); }
  /// All is written, and nobody has it open any more; what is not complete when Outputs::commit is called is left out.
  void complete();
  /// UserError with the system's reason, an errno.
  [[noreturn]] void fail(int error) const;
  /// UserError with a reason.
  [[noreturn]] void fail(const std::string& why) const;

 private:
  friend class Outputs;
  /// What becomes of the target.
  enum class Way : std::uint8_t { replaced, rewritten, direct };

  bool is_direct() const { return way_ == Way::direct; }
  /// The file, or if it does not exist the folder and its name there.
  using Identity = std::tuple<dev_t, ino_t, std::string>;
  Identity identity() const;
  void choose_way();
  void refuse_standard_streams() const;
  void open_target();
  void make_file(const std::string& ending);
  void take_mode_of_target();
  void find_folder();

  // The steps of Outputs::commit.
  void copy_to_stream();  ///< where the target is no regular file
  void put_in_place();
  void take_back();
  void rewrite();
  void settle();

  std::string path_, asked_by_;
  Writer writer_;
  std::filesystem::path target_;         ///< `path_` behind its symbolic links
  std::optional<struct stat> existing_;  ///< the target
  struct stat folder_ {};                ///< where the target is, if it does not exist
  Way way_ = Way::replaced;
  int target_descriptor_ = -1;  ///< rewritten, direct
  TemporaryFile file_;          ///< but for direct
  bool complete_ = false;
  enum class Placed : std::uint8_t { no, first, exchanged, replaced } placed_ = Placed::no;
};

/// Outputs outputs;
/// OutputPath& statistics = outputs.add("s.json", "--stats");
/// ... write, statistics.complete() ...
/// outputs.commit();
class Outputs {
 public:
  /// A file that says what the call does, and that none of these files may take the place of. Files of data are not
  /// meant: they are read before anything is put in place.
  void spare(const std::filesystem::path& input);
  /// A file that `asked_by` names, which messages say. It is opened now, so that a typing error in a path is told
  /// before the simulation and not after it. UserError for what cannot be written, and for a file that another one of
  /// these writes, or standard output or standard error, or that is spared.
  OutputPath& add(std::string path, std::string asked_by, OutputPath::Writer writer = OutputPath::Writer::by_descriptor,
                  const std::string& ending = "");
  /// Puts all that are complete in place. UserError when that is impossible; then none of them is (but where a file had
  /// to be rewritten, and its disk failed in the midst of it).
  void commit();

 private:
  std::vector<std::unique_ptr<OutputPath>> paths_;
  std::map<OutputPath::Identity, const OutputPath*> by_file_;
  std::set<std::pair<dev_t, ino_t>> spared_;
};

}  // namespace syncline::platform
