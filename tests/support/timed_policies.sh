# Names of the coherence policies that a timed machine can have; sourced, with `syncline` set. Those between the L2s of modules
# are explored alone so far.
timed_policies() {
  "$syncline" list policies | sed -n '/between the L2s of modules/d; s/^coherence\.policy  *\([a-z_]*\) .*/\1/p'
}
