# Mean time until every scheme reached the target loss, with its 95 % interval: a group of bars per point of the sweep.
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

# ---- look: Okabe and Ito's colours (grey for their yellow) ----
colours = "#000000 #E69F00 #0072B2 #009E73 #D55E00 #CC79A7 #56B4E9 #7F7F7F"
colour(i) = word(colours, 1 + (int(i) - 1) % words(colours))
rgb(i) = int("0x".substr(colour(i), 2, 7))
half = 0.34                 # of a bar's width, in rows
array thick[2] = [3.6, 1.6] # a whisker has a white edge, seen on dark bars
array grey[2] = ["#ffffff", "#222222"]

# ---- page, in pixels ----
second = strlen(caption[2]) > 0 # the caption has a second line
last = rows[|rows|]             # the lowest bar
row_height = 30
left = 34 + 9 * longest
right = 26; top = 64; bottom = second ? 118 : 102
plot_width = 560
note_width = 16 + 7.2 * longest_note
width = left + plot_width + note_width + right
height = top + (last + 0.4) * row_height + bottom

set border 1 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set xtics format "%g"
set grid back xtics lt 1 lw 0.8 lc rgb "#d8d8d8"
set yrange [last + 0.7:0.3]
if (logarithmic) {
    set logscale x
    set xrange [least / 1.5:1.5 * most]
    set mxtics 10
} else {
    set xrange [0:1.04 * most]
}
start = logarithmic ? least / 1.5 : 0
set xlabel "Simulated time to the target loss (s".(logarithmic ? ", log scale)" : ")")
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
    set lmargin at screen left / width
    set rmargin at screen (left + plot_width) / width
    set tmargin at screen 1 - top / height
    set bmargin at screen bottom / height
    set label 1 title at screen 20 / width, screen 1 - 26 / height left noenhanced font ",15"
    set label 2 subject at screen 1 - 16 / width, screen 1 - 26 / height right noenhanced \
        font ",11" textcolor rgb "#777777"
    set label 3 caption[1] at screen 20 / width, screen (second ? 38 : 20) / height left noenhanced \
        font ",10" textcolor rgb "#555555"
    set label 4 caption[2] at screen 20 / width, screen 20 / height left noenhanced \
        font ",10" textcolor rgb "#555555"
    do for [i = 1:|rows|] {
        set label 10 + i labels[i] at graph 0, first rows[i] right offset -1, 0 noenhanced
        set label 1000 + i notes[i] at first (ends[i] > 0 ? ends[i] : start), first rows[i] \
            left offset 0.8, 0 noenhanced font ",11"
    }
    if (|panels| > 1) {
        do for [p = 1:|panels|] {
            set label 2000 + p panels[p] at screen 20 / width, first headings[p] left noenhanced \
                font "DejaVu Sans Bold,12"
        }
    }
    if (logarithmic) {
        plot for [edge = 1:2] data \
                 using (column("time_to_loss_s")):(column("row")):(column("time_to_loss_s_low")) \
                     :(column("time_to_loss_s_high")) \
                 with xerrorbars lw thick[edge] lc rgb grey[edge] pt 7 ps 0, \
             data using (column("time_to_loss_s")):(column("row")):(rgb(column("colour"))) \
                 with points pt 7 ps 1.6 lc rgb variable
    } else {
        plot data using (0):(column("row")):(0):(column("time_to_loss_s")):(column("row") - half) \
                     :(column("row") + half):(rgb(column("colour"))) \
                 with boxxyerror fillstyle solid 0.85 noborder lc rgb variable, \
             for [edge = 1:2] data \
                 using (column("time_to_loss_s")):(column("row")):(column("time_to_loss_s_low")) \
                     :(column("time_to_loss_s_high")) \
                 with xerrorbars lw thick[edge] lc rgb grey[edge] pt 7 ps 0
    }
    unset output
}
