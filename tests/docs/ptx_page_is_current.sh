#!/usr/bin/env bash
# The tables of docs/ptx.md are those of the parser: ptx_page_is_current.sh SOURCE_ROOT [--write]
# Between the marks of the page stand all forms (isa/ptx/forms_*.cpp) and all opcodes that are refused (unsupported.cpp).
set -u
root=$1
page=$root/docs/ptx.md
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# forms FILE: a table of the rows of one group
forms() {
  printf '| opcode | modifiers |\n|---|---|\n'
  perl -0777 -ne 'while (/\{\s*"(\w+)",\s*((?:"[^"]*"\s*)+),/g) {
      my ($opcode, $text) = ($1, $2);
      $text = join "", $text =~ /"([^"]*)"/g;
      push @order, $opcode unless $of{$opcode};
      push @{$of{$opcode}}, $text unless grep { $_ eq $text } @{$of{$opcode}};
    }
    END { for my $o (@order) {
      my @texts = map { $_ eq "" ? () : "`$_`" } @{$of{$o}};
      s/\|/\\|/g for @texts;
      print "| `$o` | ", join("<br>", @texts), " |\n" } }' "$root/isa/ptx/forms_$1.cpp"
}
sets() {
  printf '| set | words |\n|---|---|\n'
  perl -0777 -ne 'while (/\{\s*"(\$\w+)",\s*((?:"[^"]*"\s*)+)\}/g) {
      my ($name, $text) = ($1, $2);
      print "| `$name` | `", join("", $text =~ /"([^"]*)"/g), "` |\n" }' "$root/isa/ptx/forms.cpp"
}
notes() {
  printf '| opcodes | words | PTX ISA | target |\n|---|---|---|---|\n'
  perl -ne 'if (/^\s*\{"([^"]+)", "([^"]*)", (\d+)(\d), (\d+)(?:, (\d+))?(?:, (true|false))?(?:, "([^"]*)")?(?:, "([^"]*)")?\}/) {
      my ($opcodes, $words, $major, $minor, $sm, $count, $specific, $without, $instead) =
        ($1, $2, $3, $4, $5, $6, $7, $8, $9);
      $specific = ($specific // "") eq "true";
      $words = $words eq "" ? "" : "`$words`";
      $words .= " without `$without`" if $without;
      $words .= " of $count operands" if $count;
      $words .= ": not any more" if $instead;
      $words =~ s/^ //;
      print "| `$opcodes` | $words | $major.$minor | sm_$sm", ($specific ? "a" : ""), " |\n" }' "$root/isa/ptx/form_notes.cpp"
}
refused() {
  perl -0777 -ne 'my ($table) = /table\[\] = \{(.*?)\n\};/s; my %reason;
    while ($table =~ /\{"(\w+)",/g) { push @o, "`$1`" } print join(", ", sort @o), "\n"' "$root/isa/ptx/unsupported.cpp"
}
{
  for group in integer float move memory control; do
    printf '\n### From forms_%s.cpp\n\n' "$group"
    forms "$group"
  done
  printf '\n### Sets of words\n\n'
  sets
  printf '\n### Versions and architectures\n\nWhat an instruction with these words needs at least; `.*` is any type.\n\n'
  notes
  printf '\n### Refused\n\n'
  refused
  printf '\n'
} >"$scratch/tables"
[ "$(grep -c '^| `' "$scratch/tables")" -gt 80 ] || { echo "tables of so few opcodes are not whole"; exit 1; }

awk -v tables="$scratch/tables" '/^<!-- tables: end -->/ { inside = 0 }
  !inside { print }
  /^<!-- tables: begin -->/ { inside = 1; while ((getline line < tables) > 0) print line }' "$page" >"$scratch/page"
if [ "${2:-}" = --write ]; then cp "$scratch/page" "$page"; fi
grep -q '^<!-- tables: begin -->' "$page" && cmp "$scratch/page" "$page" && exit 0
diff "$page" "$scratch/page" | head -n 20
echo "make it again: $0 SOURCE_ROOT --write"
exit 1
