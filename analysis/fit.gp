# Measured times against the best three laws: the share of times up to each, the share of longer ones, and the quantiles of
# the times against those of the laws (a law is right where they lie on the grey line).
# Draw again, in this folder, with
#     gnuplot fit.gp
#     gnuplot -e "formats = 'pdf'" fit.gp

# ---- data: one row per point; panel 1 distribution, 2 tail, 3 quantiles; curve 0 measured, then the laws ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
is(panel, curve) = column("panel") == panel && column("curve") == curve
identity(t) = t
place(panel, curve) = is(panel, curve) ? column("x") : NaN

# ---- look: Okabe and Ito's colours; a law differs from the others by its dash too ----
array colour[4] = ["#000000", "#0072B2", "#D55E00", "#009E73"]
set dashtype 1 solid
set dashtype 2 (10, 3)
set dashtype 3 (4, 2)
do for [i = 1:|laws|] {
    dash = i
    set style line i lc rgb colour[1 + i] lw 2 dt dash pt 6 ps 0.5
}

# ---- page, in pixels ----
panel_width = 330; panel_height = 300
left = 76; right = 24; top = 136; bottom = 108; between = 100
width = left + 3 * panel_width + 2 * between + right
height = top + panel_height + bottom
panel_left(p) = left + (p - 1) * (panel_width + between)

set border 3 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set grid back xtics ytics mytics lt 1 lw 0.8 lc rgb "#d8d8d8", lt 1 lw 0.4 lc rgb "#ececec"
wide = low[1] > 0 && high[1] / low[1] > 20     # the middle needs a log axis
# low, high: 1 the middle 99 %, 2 all measured times, 3 those of the laws too
tailed = low[2] > 0 && high[2] / low[2] > 5    # all times need one

quantiled = low[3] > 0 && high[3] / low[3] > 5

# Points at the ends of the range are drawn whole: a twentieth more on both sides.
below(log) = log ? low[3] * (low[3] / high[3])**0.05 : low[3] - 0.05 * (high[3] - low[3])
above(log) = log ? high[3] * (high[3] / low[3])**0.05 : high[3] + 0.05 * (high[3] - low[3])

# A step of tics of 1, 2 or 5 that gives some five of them: their labels do not meet.
power(span) = 10.0**floor(log10(span / 5))
step(span) = power(span) * (span / 5 < 1.5 * power(span) ? 1 : span / 5 < 3.5 * power(span) ? 2 : span / 5 < 7.5 * power(span) ? 5 : 10)

# 1, 2 and 5 of every decade are named on a log axis of times.
decades_x = "set xtics 10; do for [d = floor(log10(low[3])):ceil(log10(high[3]))] { set xtics add (10.0**d, 2 * 10.0**d, 5 * 10.0**d) }"
decades_y = "set ytics 10; do for [d = floor(log10(low[3])):ceil(log10(high[3]))] { set ytics add (10.0**d, 2 * 10.0**d, 5 * 10.0**d) }"

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
    set label 3 caption[1] at screen left / (1.0 * width), screen 20.0 / height left noenhanced \
        font ",10" textcolor rgb "#555555"
    set key at screen left / (1.0 * width), screen 1 - 40.0 / height left top Left reverse noenhanced \
        samplen 2.5 font ",11"
    do for [p = 1:3] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + panel_width) / (1.0 * width)
        set tmargin at screen 1 - top / (1.0 * height)
        set bmargin at screen bottom / (1.0 * height)
        unset logscale
        set format "%g"
        set xtics autofreq
        set ytics autofreq
        if (p == 1) {
            if (wide) {
                set logscale x
                @decades_x
            }
            if (!wide) { set xtics step(high[1] - low[1]) }
            set xrange [low[1]:high[1]]
            set yrange [0:1]
            set xlabel "Time (s), middle 99 %"
            set ylabel "Share of times up to it"
        }
        if (p == 2) {
            if (tailed) {
                set logscale x
                @decades_x
            }
            if (!tailed) { set xtics step(high[2] - low[2]) }
            set logscale y
            set format y "10^{%L}"
            set xrange [low[2]:high[2]]
            set yrange [least:1]
            set xlabel "Time (s)"
            set ylabel "Share of longer times (log scale)"
        }
        if (p == 3) {
            if (quantiled) {
                set logscale xy
                @decades_x
                @decades_y
            } else {
                set xtics step(high[3] - low[3])
                set ytics step(high[3] - low[3])
            }
            set xrange [below(quantiled):above(quantiled)]
            set yrange [below(quantiled):above(quantiled)]
            set xlabel "Quantile of the law (s)"
            set ylabel "Measured quantile (s)"
        }
        if (p < 3) {
            plot data using (place(p, 0)):(column("y")) with lines lc rgb colour[1] lw 4 notitle, \
                 for [i = 1:|laws|] data using (place(p, i)):(column("y")) with lines ls i notitle, \
                 for [i = 1:(p == 1 ? 1 : 0)] keyentry with lines lc rgb colour[1] lw 4 title "measured", \
                 for [i = 1:(p == 1 ? |laws| : 0)] keyentry with lines ls i title laws[i]
        } else {
            plot identity(x) lc rgb "#777777" lw 1.2 dt (2, 3) notitle, \
                 for [i = 1:|laws|] data using (place(p, i)):(column("y")) with points ls i notitle
        }
        unset label
        unset key
    }
    unset multiplot
    unset output
}
