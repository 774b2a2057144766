#include "sc_main/sweep/totals.h"

#include <nlohmann/json.hpp>

namespace syncline::sweep {
namespace {

/// {"schema": 1, "statistics": [{"name": ..., "value": ...}, {"name": ..., "count": ..., "sum": ..., ...}, ...], ...
class TotalsReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  std::vector<Total> totals;
  bool whole = false;  ///< the array has ended

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t value) override { return number(static_cast<double>(value)); }
  bool number_unsigned(number_unsigned_t value) override { return number(static_cast<double>(value)); }
  bool number_float(number_float_t value, const string_t&) override { return number(value); }
  bool string(string_t& value) override {
    if (depth_ == in_entry && key_ == Key::name) totals.back().name = std::move(value);
    return true;
  }
  bool binary(binary_t&) override { return true; }
  bool start_object(std::size_t) override {
    ++depth_;
    if (depth_ == in_entry && in_statistics_) totals.emplace_back();
    return true;
  }
  bool key(string_t& word) override {
    if (depth_ == 1) in_statistics_ = word == "statistics";
    if (depth_ == in_entry)
      key_ = word == "name"                     ? Key::name
             : word == "value" || word == "sum" ? Key::value
             : word == "count"                  ? Key::count
             : word == "max"                    ? Key::max
                                                : Key::other;
    return true;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t) override {
    ++depth_;
    return true;
  }
  bool end_array() override {
    --depth_;
    whole = depth_ == 1 && in_statistics_;
    return !whole;
  }
  bool parse_error(std::size_t, const std::string&, const nlohmann::detail::exception&) override { return false; }

 private:
  static constexpr unsigned in_entry = 3;
  enum class Key { other, name, value, count, max };

  bool number(double value) {
    if (depth_ != in_entry || !in_statistics_) return true;
    if (key_ == Key::value) totals.back().value = value;
    if (key_ == Key::count) totals.back().count = value;
    if (key_ == Key::max) totals.back().max = value;
    return true;
  }

  unsigned depth_ = 0;
  bool in_statistics_ = false;
  Key key_ = Key::other;
};

}  // namespace

std::vector<Total> read_totals(std::string_view json) {
  TotalsReader reader;
  nlohmann::json::sax_parse(json, &reader, nlohmann::json::input_format_t::json, false);
  return reader.whole ? std::move(reader.totals) : std::vector<Total>();
}

}  // namespace syncline::sweep
