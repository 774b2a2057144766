#include "sc_main/sweep/build_id.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <cstdint>
#include <cstring>

namespace syncline::sweep {
namespace {

/// The build ID among notes of `size` bytes.
std::string id_among(const std::uint8_t* notes, std::size_t size) {
  constexpr auto padded = [](std::size_t bytes) { return (bytes + 3) / 4 * 4; };
  while (size >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) head;
    std::memcpy(&head, notes, sizeof head);
    const std::size_t name = sizeof head, value = name + padded(head.n_namesz), end = value + padded(head.n_descsz);
    if (end > size) break;
    if (head.n_type == NT_GNU_BUILD_ID && head.n_namesz == 4 && std::memcmp(notes + name, "GNU", 4) == 0) {
      std::string text;
      for (std::size_t n = 0; n < head.n_descsz; ++n) text += fmt::format("{:02x}", notes[value + n]);
      return text;
    }
    notes += end;
    size -= end;
  }
  return {};
}

/// Called for the program first, which ends the search.
int visit(dl_phdr_info* info, std::size_t, void* into) {
  for (unsigned n = 0; n < info->dlpi_phnum; ++n) {
    const auto& part = info->dlpi_phdr[n];
    if (part.p_type != PT_NOTE) continue;
    const std::string id =
        id_among(reinterpret_cast<const std::uint8_t*>(info->dlpi_addr + part.p_vaddr), part.p_memsz);
    if (!id.empty()) *static_cast<std::string*>(into) = id;
  }
  return 1;
}

}  // namespace

std::string build_id() {
  std::string id;
  dl_iterate_phdr(visit, &id);
  return id;
}

}  // namespace syncline::sweep
