# Sourced by tests that compare runs by their statistics.

# statistics_alone FILE...: leaves of files of --stats what the whole run counted. What stands behind says whose run it was,
# which differs wherever a setting does, whether that has an effect or not.
statistics_alone() {
  local file
  for file in "$@"; do sed -i '/^\],$/{s/.*/]}/;q}' "$file"; done  # q ends sed, not the file
}
