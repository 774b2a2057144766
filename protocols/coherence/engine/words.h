// Holds the words of a machine and the enumerations of its table together: a name that is missing, too many, in another
// place or spelled otherwise does not compile.
#pragma once

#include <cstddef>
#include <iterator>
#include <string_view>
#include <utility>
#include <vector>

namespace syncline::protocols {

/// "stall" of A::stall, as the compiler writes it; empty for a value that no enumerator has.
template <auto value>
constexpr std::string_view enumerator() {
  std::string_view text = __PRETTY_FUNCTION__;  // "... [with auto value = space::A::stall; ...]", or "(space::A)7"
  text.remove_prefix(text.find("value = "));
  text = text.substr(0, text.find_first_of(";]"));
  text.remove_prefix(text.find_last_of(":)") + 1);
  return text.front() >= '0' && text.front() <= '9' ? std::string_view() : text;
}

template <class Enum, std::size_t first, class Word, std::size_t count, std::size_t... place>
constexpr bool names(const Word (&words)[count], std::index_sequence<place...>) {
  return (... && (words[place].name == enumerator<static_cast<Enum>(first + place)>()));
}
/// Whether the lists, one behind the other, are the names of the enumerators from the `first` on: each in its place,
/// and none left out.
template <class Enum, std::size_t first, class Word, std::size_t count, class... More>
constexpr bool names_from(const Word (&words)[count], const More&... more) {
  constexpr std::size_t next = first + count;
  if constexpr (sizeof...(more) != 0)
    return names<Enum, first>(words, std::make_index_sequence<count>()) && names_from<Enum, next>(more...);
  return names<Enum, first>(words, std::make_index_sequence<count>()) &&
         (sizeof...(more) != 0 || enumerator<static_cast<Enum>(next)>().empty());
}
template <class Enum, class... Words>
constexpr bool names_all(const Words&... words) {
  return names_from<Enum, 0>(words...);
}

template <class Word, std::size_t count>
void append(std::vector<Word>& list, const Word (&words)[count]) {
  list.insert(list.end(), std::begin(words), std::end(words));
}
template <class Word, std::size_t count>
std::vector<Word> list_of(const Word (&words)[count]) {
  return {std::begin(words), std::end(words)};
}

}  // namespace syncline::protocols
