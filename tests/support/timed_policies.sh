# Names of the coherence policies that a machine of one module can have; sourced, with `syncline` set.
timed_policies() {
  "$syncline" list policies | sed -n '/between the L2s of modules/d; s/^coherence\.policy  *\([a-z_]*\) .*/\1/p'
}
