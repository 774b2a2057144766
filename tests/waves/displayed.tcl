# Says what GTKWave shows after it has loaded a view, then ends it.
foreach signal [gtkwave::getDisplayedSignals] { puts "displayed $signal" }
puts "traces [gtkwave::getTotalNumTraces]"
flush stdout
exit
