#!/bin/sh
# Takes from the programs whose CTAs share data while a grid runs what makes the sharing right: each must end WRONG.
#
#   sharing_is_noticed.sh SYNCLINE ROOT
set -eu
syncline=$1
root=$2
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
status=0

# without WHAT SED NAME PTX [OPTION...]: NAME with the kernel PTX edited by SED.
without() {
  what=$1 edit=$2 name=$3 ptx=$4
  shift 4
  mkdir -p "$folder/$ptx"
  sed "$edit" "$root/workloads/$ptx/$ptx.ptx" > "$folder/$ptx/$ptx.ptx"
  if cmp -s "$folder/$ptx/$ptx.ptx" "$root/workloads/$ptx/$ptx.ptx"; then
    echo "$name without $what: the edit found nothing"
    status=1
    return
  fi
  ended=0
  SYNCLINE_WORKLOADS=$folder timeout 30 "$syncline" run gtx480 "$name" --no-progress "$@" > "$folder/out" 2>&1 || ended=$?
  if [ "$ended" != 1 ] || ! grep -q '"verified":false' "$folder/out"; then
    echo "$name without $what: ended with $ended instead of 1"
    cat "$folder/out"
    status=1
  fi
}

locks='s/atom\.global\.cas\.b32[[:space:]]*\(%r[0-9]*\), .*, 0, 1;/mov.u32 \1, 0;/'
without locks "$locks" atm atm
without locks "$locks" apriori apriori
without locks "$locks" cuda_cuts cuda_cuts
without locks "$locks" cloth cloth
without locks "$locks" cloth_opt cloth
without locks "$locks" hash_table hash_table
without locks "$locks" cloth_to cloth
without locks "$locks" vacation vacation
for program in apriori atm barnes_hut cloth cloth_opt cloth_to cuda_cuts hash_table sorted_list vacation; do
  without transactions '/^[[:space:]]*tx\.\(begin\|commit\);$/d' $program "$(echo $program | sed 's/_opt$\|_to$//')" --option sync=tx
done
without "comparing the head" 's/atom\.global\.cas\.b32\([[:space:]]*%r[0-9]*, \[%rd[0-9]*\]\), %r[0-9]*, \(%r[0-9]*\);/atom.global.exch.b32\1, \2;/' \
  hash_table_cas hash_table
without "waiting for the other CTAs" 's/ld\.volatile\.global\.u32[[:space:]]*\(%r[0-9]*\), .*/mov.u32 \1, -1;/' stencil stencil
waiting='s/ld\.acquire\.sys\.u32[[:space:]]*\(%r[0-9]*\), .*/mov.u32 \1, -1;/'
for program in rnn rnn_dgrad lstm; do
  without "waiting for the other CTAs" "$waiting" $program rnn --functional  # with time, CTAs keep in step by chance
done
without "waiting for the other CTAs" "$waiting" rnn_wgrad rnn
without "waiting for the other CTAs" "$waiting" sweep sweep
without "adding up over the CTAs" 's/red\.relaxed\.sys\.add\.f64/st.volatile.f64/' cg cg
# A Fermi, whose fences leave stale lines in the L1.
without "going past the L1" 's/ld\.volatile\.global\.f32/ld.global.f32/' stencil stencil --set coherence.none.acquire=keep
without "going past the L1" 's/ld\.volatile/ld/' cloth cloth --set coherence.none.acquire=keep
exchange='s/atom\.global\.exch\.b32\([[:space:]]*%r[0-9]*, \)\(\[%rd[0-9]*\]\), \(%r[0-9]*\);/ld.volatile.global.u32\1\2; st.volatile.global.u32 \2, \3;/'
without "exchanging at once" "$exchange" racey_atomic racey
without "keeping to the elements" 's/st\.volatile\.global\.u32\([[:space:]]*\)\[%rd10\]/st.volatile.global.u32\1[%rd10+4]/' racey racey
without "the modulus" 's/103072243/103072245/' racey_thread racey
without "taking part" 's/ld\.volatile\.global\.u32/ret; ld.volatile.global.u32/' racey_cta racey
exit $status
