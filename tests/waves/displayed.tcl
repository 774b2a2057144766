# Says what GTKWave shows after it has loaded a view, and the values of it at moments all over the file; then ends it.
set moments 40
foreach signal [gtkwave::getDisplayedSignals] { puts "displayed $signal" }
puts "traces [gtkwave::getTotalNumTraces]"
set first [gtkwave::getMinTime]
set last [gtkwave::getMaxTime]
for {set i 0} {$i <= $moments} {incr i} {
  gtkwave::setMarker [expr {$first + ($last - $first) * $i / $moments}]
  foreach signal [gtkwave::getDisplayedSignals] {
    puts "value $signal [gtkwave::getTraceValueAtMarkerFromName $signal]"
  }
}
flush stdout
exit
