# What every worker did: a panel per scheme, a column per worker (or per group of neighbours) with its busy, idle and down
# seconds as shares of the run, and marks for the steps in which it was used and late.
# Draw again, in this folder, with
#     gnuplot workers.gp
#     gnuplot -e "formats = 'pdf'" workers.gp

# ---- data: one row per panel, curve and place on the x axis ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
x(panel) = column("panel") == panel ? (column("worker") + column("last_worker")) / 2.0 : NaN
half(unused) = 0.4 * (column("last_worker") - column("worker") + 1)

# ---- look: Okabe and Ito's colours (grey for their yellow, two of them darker), so ordered that neighbours differ in
# tone too ----
colours = "#000000 #E69F00 #009E73 #56B4E9 #C24E00 #CC79A7 #0060A0 #7F7F7F"
colour(i) = word(colours, 1 + (i - 1) % words(colours))
array shade[3] = ["#0060A0", "#d8d8d8", "#C24E00"] # busy, idle, down
array entry[5] = ["busy", "idle", "down", "used", "late"]
set style fill solid 0.8 noborder

# ---- page, in pixels ----
second = 0 # whether a title has a second line
do for [p = 1:|panels|] { if (strlen(panels_below[p]) > 0) { second = 1 } }
columns = |panels| == 1 ? 1 : |panels| == 2 || |panels| == 4 || longest_panel > 36 ? 2 : 3
lines = (|panels| + columns - 1) / columns
panel_width = columns == 1 ? 660 : columns == 2 ? 400 : 280
panel_height = |panels| == 1 ? 380 : 220
left = 96; right = 20; top = strlen(common) > 0 ? 78 : 64; bottom = 20 + 17 * |caption|
# Between panels; for titles above them; for tick labels and x titles below.
across = 40; above = |panels| > 1 ? (second ? 46 : 26) : 0; below = 64
key_share = (22 * 5 - (lines - 1) * (above + below)) / lines # of the key's height, per line of panels
if (key_share > panel_height) { panel_height = key_share }
key_width = 82 + 8 * 6
width = left + columns * panel_width + (columns - 1) * across + right + key_width
height = top + lines * (above + panel_height + below) + bottom
panel_left(p) = left + ((p - 1) % columns) * (panel_width + across)
panel_top(p) = top + above + ((p - 1) / columns) * (above + panel_height + below)

# ---- axes ----
set border 3 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set grid back ytics mytics lt 1 lw 0.8 lc rgb "#d8d8d8", lt 1 lw 0.4 lc rgb "#ececec"
# The distance of about `parts` round ticks up to a length.
power(v) = 10.0**floor(log10(v))
nice(v) = power(v) * (v / power(v) < 1.5 ? 1 : v / power(v) < 3.5 ? 2 : v / power(v) < 7.5 ? 5 : 10)
tick(length, parts) = nice(1.0 * length / parts)
# ---- the same page for every format ----
do for [format in formats] {
    if (format eq "svg") {
        set terminal svg size width, height dynamic enhanced font "DejaVu Sans,13" background rgb "white"
    }
    if (format eq "png") {
        set terminal pngcairo size 2 * width, 2 * height enhanced font "DejaVu Sans,13" fontscale 1.9 \
            linewidth 1.9 pointscale 1.9 background rgb "white"
    }
    if (format eq "pdf") {
        set terminal pdfcairo size width / 96.0, height / 96.0 enhanced font "DejaVu Sans,9.75" background rgb "white"
    }
    set output out.".".format
    set multiplot
    set label 1 title at screen left / (1.0 * width), screen 1 - 26.0 / height left noenhanced font ",15"
    set label 2 subject at screen 1 - 16.0 / width, screen 1 - 26.0 / height right noenhanced \
        font ",11" textcolor rgb "#777777"
    set label 3 common at screen left / (1.0 * width), screen 1 - 48.0 / height left noenhanced \
        font ",11" textcolor rgb "#333333"
    do for [line = 1:|caption|] {
        set label 3 + line caption[line] at screen left / (1.0 * width), \
            screen (20.0 + 17 * (|caption| - line)) / height left noenhanced font ",10" textcolor rgb "#555555"
    }
    set key at screen 1 - (key_width - 8.0) / width, screen 1 - (top + above - 4.0) / height left top Left reverse \
        noenhanced spacing 1.35 samplen 3.8 font ",11"
    do for [p = 1:|panels|] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + panel_width) / (1.0 * width)
        set tmargin at screen 1 - panel_top(p) / (1.0 * height)
        set bmargin at screen 1 - (panel_top(p) + panel_height) / (1.0 * height)
        set label 20 panels[p] at graph 0, graph 1 offset 0, (second ? 1.7 : 0.7) left noenhanced font ",11"
        set label 21 panels_below[p] at graph 0, graph 1 offset 0, 0.7 left noenhanced font ",11"
        set xrange [-0.6:workers - 0.4]
        apart = tick(workers, columns == 3 ? 3 : 6)
        if (apart < 1) { apart = 1 }
        set xtics apart
        set xlabel "Worker" offset 0, 0.3
        set yrange [0:104]
        set ytics 25
        if (p % columns == 1 || columns == 1) {
            set format y "%g %%"
            set ylabel "Of the run's seconds; of its steps"
        } else {
            unset ylabel
            set format y ""
        }
        plot data using (x(p)):(0):(x(p) - half(0)):(x(p) + half(0)):(0):(column("busy_percent")) \
                 with boxxyerror lc rgb shade[1] notitle, \
             data using (x(p)):(0):(x(p) - half(0)):(x(p) + half(0)):(column("busy_percent")) \
                 :(column("busy_percent") + column("idle_percent")) with boxxyerror lc rgb shade[2] notitle, \
             data using (x(p)):(0):(x(p) - half(0)):(x(p) + half(0)):(column("busy_percent") + column("idle_percent")) \
                 :(100) with boxxyerror lc rgb shade[3] notitle, \
             data using (x(p)):(column("used_percent")) with points pt 7 ps 1 lc rgb "#000000" notitle, \
             data using (x(p)):(column("late_percent")) with points pt 6 ps 1 lc rgb "#000000" notitle, \
             for [q = 1:(p == 1 ? 3 : 0)] keyentry with boxes lc rgb shade[q] title entry[q], \
             for [q = 4:(p == 1 ? 5 : 0)] keyentry with points pt 11 - q lc rgb "#000000" title entry[q]
        unset label
        unset key
    }
    unset multiplot
    unset output
}
