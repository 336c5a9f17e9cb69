# Mean time until every scheme reached the target loss, with its 95 % interval: a panel per point of the sweep.
# Where the slowest takes so much longer that bars from 0 would hide the fastest, the axis is logarithmic and the bars
# give way to marks, since a logarithmic axis has no 0 to start from.
# Draw again, in this folder, with
#     gnuplot time-to-target.gp
#     gnuplot -e "formats = 'pdf'" time-to-target.gp

# ---- data: one row per bar ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
x(panel) = column("panel") == panel ? column("time_to_loss_s") : NaN

# ---- look: Okabe and Ito's colours (grey for their yellow, two of them darker), so ordered that neighbours differ in
# tone too ----
colours = "#000000 #E69F00 #009E73 #56B4E9 #C24E00 #CC79A7 #0060A0 #7F7F7F"
colour(i) = word(colours, 1 + (int(i) - 1) % words(colours))
rgb(i) = int("0x".substr(colour(i), 2, 7))
half = 0.34                 # of a bar's width, in rows
array thick[2] = [3.6, 1.6] # a whisker has a white edge, seen on dark bars
array grey[2] = ["#ffffff", "#222222"]
set style textbox opaque fillcolor rgb "white" noborder margins 0.4, 0.2

# ---- page, in pixels ----
second = 0 # whether a title has a second line
do for [p = 1:|panels|] { if (strlen(panels_below[p]) > 0) { second = 1 } }
several = |panels| > 1
title_font = ",10"
label_font = several ? ",11" : ",13"; tick_font = several ? ",10" : ",12"; note_font = several ? ",10" : ",11"
left = 34 + (several ? 8.2 : 9.8) * longest
right = 16; top = strlen(common) > 0 ? 78 : 64; bottom = 48 + 17 * |caption|
across = 14; above = several ? (second ? 46 : 26) : 0; below = 32 # between panels; for titles; for tick labels
note_width = 16 + (several ? 6.4 : 7.2) * longest_note
share(count) = (820.0 - left - right - (count - 1) * across) / count # of the width, per panel
narrow = share(3) < 6.4 * longest_panel || share(3) < 90 + note_width
columns = !several ? 1 : |panels| == 2 || |panels| == 4 || narrow ? 2 : 3
lines = (|panels| + columns - 1) / columns
room = share(columns) - note_width
bar_width = room < 120 ? (several ? 120 : 320) : room > 560 ? 560 : room
titled = 6.6 * longest_panel - note_width # what a panel's title needs of it
plot_width = bar_width < titled ? titled : bar_width
width = left + columns * (plot_width + note_width) + (columns - 1) * across + right
row_height = several ? 20 : 30
panel_height = (|labels| + 0.4) * row_height
height = top + lines * (above + panel_height + below) + bottom
panel_left(p) = left + ((p - 1) % columns) * (plot_width + note_width + across)
panel_top(p) = top + above + ((p - 1) / columns) * (above + panel_height + below)

# ---- axes ----
set border 1 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 offset 0, 0.2 textcolor rgb "#333333" font tick_font
set grid back xtics lt 1 lw 0.8 lc rgb "#d8d8d8"
set yrange [|labels| + 0.7:0.3]
# The distance of about `parts` round ticks up to a length.
power(v) = 10.0**floor(log10(v))
nice(v) = power(v) * (v / power(v) < 1.5 ? 1 : v / power(v) < 3.5 ? 2 : v / power(v) < 7.5 ? 5 : 10)
tick(length, parts) = nice(1.0 * length / parts)
set xtics format "%g"
start = logarithmic ? least / 1.5 : 0
low(v) = v < start ? (logarithmic ? start / 10 : -most[1]) : v # past the edge: the line goes on to it, without a cap
if (logarithmic) {
    set logscale x
    set mxtics 10
    # Panels share a logarithmic axis: it has room for all.
    do for [p = 2:|panels|] { if (most[p] > most[1]) { most[1] = most[p] } }
}
unset ytics
unset key

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
    set label 1 title at screen 20 / (1.0 * width), screen 1 - 26.0 / height left noenhanced font ",15"
    set label 2 subject at screen 1 - 16.0 / width, screen 1 - 26.0 / height right noenhanced \
        font ",11" textcolor rgb "#777777"
    set label 3 common at screen 20 / (1.0 * width), screen 1 - 48.0 / height left noenhanced \
        font ",11" textcolor rgb "#333333"
    do for [line = 1:|caption|] {
        set label 3 + line caption[line] at screen 20 / (1.0 * width), \
            screen (20.0 + 17 * (|caption| - line)) / height left noenhanced font ",10" textcolor rgb "#555555"
    }
    set label 20 "Simulated time to ".target." (s".(logarithmic ? ", log scale)" : ")") \
        at screen (left + (columns * (plot_width + note_width) - note_width + (columns - 1) * across) / 2.0) / width, \
        screen (bottom - 14.0) / height center noenhanced font ",12"
    do for [p = 1:|panels|] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + plot_width) / (1.0 * width)
        set tmargin at screen 1 - panel_top(p) / (1.0 * height)
        set bmargin at screen 1 - (panel_top(p) + panel_height) / (1.0 * height)
        set label 21 panels[p] at graph 0, graph 1 offset 0, (second ? 1.7 : 0.7) left noenhanced font title_font
        set label 22 panels_below[p] at graph 0, graph 1 offset 0, 0.7 left noenhanced font title_font
        do for [i = 1:|labels|] {
            if (p % columns == 1 || columns == 1) {
                set label 100 + i labels[i] at graph 0, first i right offset -1, 0 noenhanced font label_font
            }
            here = (p - 1) * |labels| + i
            if (strlen(notes[here]) > 0) {
                set label 1000 + i notes[here] at first (ends[here] > start ? ends[here] : start), first i \
                    left offset 1, 0 front boxed noenhanced font note_font
            }
        }
        if (logarithmic) {
            set xrange [start:1.5 * most[1]]
            set xtics 10
            plot for [edge = 1:2] data \
                     using (x(p)):(column("row")):(low(column("time_to_loss_s_low"))):(column("time_to_loss_s_high")) \
                     with xerrorbars lw thick[edge] lc rgb grey[edge] pt 7 ps 0, \
                 data using (x(p)):(column("row")):(rgb(column("row"))) with points pt 7 ps 1.6 lc rgb variable
        } else {
            set xrange [0:1.04 * most[p]]
            set xtics tick(most[p], plot_width < 200 ? 2 : plot_width / 100)
            plot data using (0):(column("row")):(0):(x(p)):(column("row") - half):(column("row") + half) \
                     :(rgb(column("row"))) \
                     with boxxyerror fillstyle solid 0.85 noborder lc rgb variable, \
                 for [edge = 1:2] data \
                     using (x(p)):(column("row")):(low(column("time_to_loss_s_low"))):(column("time_to_loss_s_high")) \
                     with xerrorbars lw thick[edge] lc rgb grey[edge] pt 7 ps 0
        }
        unset label
    }
    unset multiplot
    unset output
}
