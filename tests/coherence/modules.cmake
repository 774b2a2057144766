# Policies of several modules: their small suite explored whole, and random programs.
foreach(policy IN LISTS of_modules)
  add_test(NAME check.${policy} COMMAND syncline check ${policy})
  set_tests_properties(check.${policy} PROPERTIES LABELS coherence TIMEOUT 900 FAIL_REGULAR_EXPRESSION "not finished")
  add_test(NAME check.random.${policy} COMMAND syncline check ${policy} --random 20 --seed 16 --no-coverage)
  set_tests_properties(check.random.${policy} PROPERTIES LABELS coherence TIMEOUT 600)
endforeach()
