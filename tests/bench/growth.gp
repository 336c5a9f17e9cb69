# Seconds of a run over what grows, a panel each; grey: in proportion, through the middle of each curve.
# gnuplot -e "data = 'growth.csv'; out = 'growth.svg'" growth.gp
set encoding utf8
set datafile separator comma
set datafile columnheaders
panels = "workers steps samples features"
array works[3] = ["timing by rounds", "timing by events", "training"]
array kinds[4] = ["1 2", "1 3", "3", "3"] # of work, by panel
colours = "#000000 #E69F00 #009E73"
shown(panel, work) = strcol(1) eq panel && strcol(2) eq work ? column(3) : NaN
per(panel, work) = strcol(1) eq panel && strcol(2) eq work ? column(4) : NaN

# What one of a curve's middle costs.
array middle[16]
do for [p = 1:4] {
    panel = word(panels, p)
    do for [k in kinds[p]] {
        stats data using (per(panel, works[k + 0]) / shown(panel, works[k + 0])) nooutput
        middle[4 * k + p] = STATS_median
    }
}

width = 900; height = 620; left = 80; across = 90; top = 60; below = 72
panel_width = (width - left - across - 20) / 2; panel_height = (height - top - 2 * below) / 2
set terminal svg size width, height dynamic enhanced font "DejaVu Sans,13" background rgb "white"
set output out
set multiplot
set label 1 "Processor seconds of a run, one thread" at screen 1.0 * left / width, screen 1 - 26.0 / height font ",15"
set border 3 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set grid back ytics lt 1 lw 0.8 lc rgb "#d8d8d8"
set logscale xy
set format "10^{%T}"
set key top left reverse Left samplen 2 font ",11"
set ylabel "seconds" offset 1, 0
do for [p = 1:4] {
    panel = word(panels, p)
    from_left = left + ((p - 1) % 2) * (panel_width + across)
    from_top = top + ((p - 1) / 2) * (panel_height + below)
    set lmargin at screen 1.0 * from_left / width
    set rmargin at screen 1.0 * (from_left + panel_width) / width
    set tmargin at screen 1 - 1.0 * from_top / height
    set bmargin at screen 1 - 1.0 * (from_top + panel_height) / height
    set xlabel panel
    plot for [k in kinds[p]] middle[4 * k + p] * x lc rgb "#bbbbbb" lw 1 dt solid notitle, \
         for [k in kinds[p]] data using (shown(panel, works[k + 0])):(per(panel, works[k + 0])) with linespoints lw 2 \
             pt 4 + 2 * k ps 0.8 lc rgb word(colours, k + 0) title works[k + 0]
    unset label 1
}
unset multiplot
