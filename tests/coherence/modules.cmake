# Policies of several modules: their small suite explored whole, random programs, and of some a sample of the mutants: each
# dies, is equivalent, or is explained.
foreach(policy IN LISTS of_modules)
  if(NOT policy STREQUAL ideal_remote)  # takes minutes: check_long.sh
    add_test(NAME check.${policy} COMMAND syncline check ${policy})
    set_tests_properties(check.${policy} PROPERTIES LABELS coherence TIMEOUT 900 FAIL_REGULAR_EXPRESSION "not finished")
  endif()
  add_test(NAME check.random.${policy} COMMAND syncline check ${policy} --random 20 --seed 16 --no-coverage)
  set_tests_properties(check.random.${policy} PROPERTIES LABELS coherence TIMEOUT 600)
endforeach()
# Random programs in small caches of two GPUs of two modules; and every program.
foreach(policy IN LISTS of_modules)
  stress_shapes(${policy} ${policy})
  foreach(program IN LISTS suite_programs)
    set(name workloads.${program}.hmg_tiny.${policy})
    add_test(NAME ${name}
      COMMAND syncline run hmg_tiny ${program} --no-progress --set coherence.policy=${policy} --set observe.consistency=check)
    set_tests_properties(${name} PROPERTIES LABELS coherence TIMEOUT 600)
  endforeach()
  foreach(setting topology=all_to_all pages.placement=interleaved pages.placement=hash pages.placement=fixed ctas=none link.credits=1)
    set(name workloads.hash_table_cas.hmg_tiny.${policy}.${setting})
    add_test(NAME ${name} COMMAND syncline run hmg_tiny hash_table_cas --no-progress --set modules.${setting}
      --set coherence.policy=${policy} --set observe.consistency=check)
    set_tests_properties(${name} PROPERTIES LABELS coherence TIMEOUT 600)
  endforeach()
endforeach()
# One who writes what a thousand warps ask for again and again has its turn, whichever network its request comes by.
function(late_flag policy platform grid late)
  set(name coherence.late_flag.${policy}.${platform}.${late})
  add_test(NAME ${name} COMMAND syncline run ${platform} ${CMAKE_CURRENT_SOURCE_DIR}/late_flag.ptx --kernel late_flag
    --grid ${grid} --block 1024 --arg flag=buf:u32:1:zero --arg i32:${late} --no-progress --set coherence.policy=${policy}
    --set limits.cycles=300000 ${ARGN})
  set_tests_properties(${name} PROPERTIES LABELS coherence TIMEOUT 600)
endfunction()
foreach(policy IN LISTS of_modules)
  late_flag(${policy} hmg_scaled 64 1)
  late_flag(${policy} hmg_scaled 64 17)
  late_flag(${policy} hmg_tiny 4 0 --set l2.bank_busy=40cycles)
endforeach()
foreach(policy no_remote_caching nhcc hmg)
  add_test(NAME check.mutants.${policy} COMMAND syncline check ${policy} --mutate --sample 8 --jobs 2
    --survivors ${PROJECT_SOURCE_DIR}/protocols/coherence/${policy}/survivors.yaml)
  set_tests_properties(check.mutants.${policy} PROPERTIES LABELS coherence TIMEOUT 900)
endforeach()
# Mutants that need programs of their own; those of sw_hierarchical take minutes: check_long.sh.
foreach(policy no_remote_caching sw ideal_remote)
  add_test(NAME check.old_lines.${policy} COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/old_lines.sh $<TARGET_FILE:syncline> ${policy})
  set_tests_properties(check.old_lines.${policy} PROPERTIES LABELS coherence TIMEOUT 900)
endforeach()
only_long(check.old_lines.no_remote_caching check.old_lines.ideal_remote)
# The machine of the thesis, whole.
foreach(program bfs rnn stencil cg all_reduce_ring)
  set(name workloads.${program}.hmg16.hmg)
  add_test(NAME ${name} COMMAND syncline run hmg16 ${program} --no-progress --set coherence.policy=hmg --set observe.consistency=check)
  set_tests_properties(${name} PROPERTIES LABELS coherence TIMEOUT 600)
endforeach()
