# Time to the target loss, or of a step, over two axes of a sweep: a panel per scheme, a cell per point, all of one scale.
# Draw again, in this folder, with
#     gnuplot heatmap.gp
#     gnuplot -e "formats = 'pdf'" heatmap.gp

# ---- data: one row per panel and cell ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
of(panel) = column("panel") == panel ? column("column") : NaN

# ---- look: from fast and pale to slow and dark, in steps of equal lightness ----
set palette defined (0 "#fdf6d8", 0.25 "#f5c97a", 0.5 "#e08a4a", 0.75 "#a84a52", 1 "#4a2450")
share(v) = logarithmic ? log(v / low) / log(high / low) : (v - low) / (high - low)
ink(v) = high > low && share(v) > 0.55 ? 0xffffff : 0x222222

# ---- page, in pixels ----
columns = |panels| == 1 ? 1 : |panels| <= 4 ? 2 : 3
lines = (|panels| + columns - 1) / columns
panel_width = columns == 1 ? 560 : columns == 2 ? 380 : 280
panel_height = 34 * |y_values| < 150 ? 150 : 34 * |y_values| > 380 ? 380 : 34 * |y_values|
left = 66 + 7 * y_longest; right = 128; top = 56; bottom = 30 + 17 * |caption|
across = 60 + 7 * y_longest; above = 26; below = 54
width = left + columns * panel_width + (columns - 1) * across + right
height = top + lines * (above + panel_height + below) + bottom
panel_left(p) = left + ((p - 1) % columns) * (panel_width + across)
panel_top(p) = top + above + ((p - 1) / columns) * (above + panel_height + below)

# ---- axes: the values stand side by side, whatever they are ----
set border 0
set tics nomirror out scale 0 textcolor rgb "#333333"
unset key
set xrange [0.5:|x_values| + 0.5]
set yrange [0.5:|y_values| + 0.5]
x_step = 1 + (|x_values| * (7 * x_longest + 10) - 1) / panel_width # ticks that would touch are left out
y_step = 1 + (18 * |y_values| - 1) / panel_height
set xlabel x_key offset 0, 0.3 noenhanced font ",11"
set ylabel y_key noenhanced font ",11"
half = 0.49 # of a cell

set xtics () noenhanced
set ytics () noenhanced
do for [v = 1:|x_values|:x_step] { set xtics add (x_values[v] v) }
do for [v = 1:|y_values|:y_step] { set ytics add (y_values[v] v) }

cells = |x_values| * |y_values|
told = panel_width / |x_values| >= 34 && panel_height / |y_values| >= 14 # there is room for numbers
set cbrange [low:high > low ? high : 1.01 * low]
if (logarithmic) { set logscale cb }
set format cb "%g"
set cblabel measure offset 1, 0 noenhanced font ",11"

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
    do for [line = 1:|caption|] {
        set label 3 + line caption[line] at screen left / (1.0 * width), \
            screen (20.0 + 17 * (|caption| - line)) / height left noenhanced font ",10" textcolor rgb "#555555"
    }
    do for [p = 1:|panels|] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + panel_width) / (1.0 * width)
        set tmargin at screen 1 - panel_top(p) / (1.0 * height)
        set bmargin at screen 1 - (panel_top(p) + panel_height) / (1.0 * height)
        set label 20 panels[p] at graph 0, graph 1 offset 0, 0.7 left noenhanced font ",11"
        set colorbox user origin screen 1 - (right - 16.0) / width, screen 1 - (top + above + panel_height) / (1.0 * height) \
            size screen 14.0 / width, screen panel_height / (1.0 * height)
        if (p > 1) { unset colorbox }
        plot data using (of(p)):(column("row")):(of(p) - half):(of(p) + half):(column("row") - half):(column("row") + half):(column("mean")) \
                 with boxxyerror fs solid noborder lc palette notitle, \
             data using (told ? of(p) : NaN):(column("row")):(stringcolumn("note")):(ink(column("mean"))) \
                 with labels font ",9" tc rgb variable notitle
        unset label
    }
    unset multiplot
    unset output
}
