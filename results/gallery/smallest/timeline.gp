# Set by laggard for this picture; edit freely, nothing reads it back.
if (!exists('data')) data = './timeline.csv'
if (!exists('out')) out = './timeline'
if (!exists('formats')) formats = 'svg'
array kinds[1] = ['delay']
workers = 4
steps = 4
end_s = 3.7909287398858678
array caption[2] = ['uncoded, the first 4 steps of its first run.', 'Dotted lines: the master closes a step.']
title = 'What every worker does'
subject = '01-smallest'

# What every worker does in the first steps of one run: a row per worker, time from left to right.
# Draw again, in this folder, with
#     gnuplot timeline.gp
#     gnuplot -e "formats = 'pdf'" timeline.gp

# ---- data: one row per stretch of a worker's time, and one per step that closes ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
is(kind) = strcol("kind") eq kind

# ---- look: Okabe and Ito's colours ----
colour(kind) = kind eq "compute" ? "#0072B2" : kind eq "delay" ? "#F0C040" : kind eq "upload" ? "#56B4E9" : kind eq "warm-up" ? "#009E73" \
             : kind eq "discarded" ? "#D55E00" : "#B0B0B0"

# ---- page, in pixels ----
row_height = workers > 24 ? 16 : workers > 12 ? 22 : 30
left = 74; right = 26; top = 84; bottom = 84 + 17 * |caption|
plot_width = 900
width = left + plot_width + right
height = top + workers * row_height + bottom
every_row = workers > 24 ? 4 : 1 # with a label

set border 3 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set grid back xtics lt 1 lw 0.8 lc rgb "#d8d8d8"
set yrange [workers - 0.4:-0.6]
set xrange [0:(end_s > 0 ? 1.01 * end_s : 1)]
set xlabel "Simulated time (s)"
set ylabel "Worker"
set ytics 0, every_row, workers - 1 scale 0
set key at graph 1, graph 1 right bottom horizontal Left reverse noenhanced samplen 1.6 width 1 font ",11"

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
    set lmargin at screen left / (1.0 * width)
    set rmargin at screen (left + plot_width) / (1.0 * width)
    set tmargin at screen 1 - top / (1.0 * height)
    set bmargin at screen bottom / (1.0 * height)
    set label 1 title at screen left / (1.0 * width), screen 1 - 26.0 / height left noenhanced font ",15"
    set label 2 subject at screen 1 - 16.0 / width, screen 1 - 26.0 / height right noenhanced \
        font ",11" textcolor rgb "#777777"
    do for [line = 1:|caption|] {
        set label 2 + line caption[line] at screen left / (1.0 * width), \
            screen (20.0 + 17 * (|caption| - line)) / height left noenhanced font ",10" textcolor rgb "#555555"
    }
    # A white edge keeps neighbours apart; a step of the run may never close.
    plot for [k = 1:|kinds|] data \
             using (is(kinds[k]) ? column("begin_s") : NaN):(column("low")):(column("begin_s")):(column("end_s")) \
                 :(column("low")):(column("high")) \
             with boxxyerror fillstyle solid 1 border rgb "#ffffff" lw 0.5 lc rgb colour(kinds[k]) title kinds[k], \
         for [s = 1:(steps > 0 ? 1 : 0)] data \
             using (is("close") ? column("begin_s") : NaN):(column("low")):(0):(column("high") - column("low")) \
             with vectors nohead lw 1.1 dt (5, 3) lc rgb "#222222" title "step closes"
    unset output
}
