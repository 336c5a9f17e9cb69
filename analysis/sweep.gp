# Time to the target loss, or of a step, against a swept number: a line per scheme, whiskers for the 95 % interval of a mean,
# a panel per value of a second axis.
# Draw again, in this folder, with
#     gnuplot sweep.gp
#     gnuplot -e "formats = 'pdf'" sweep.gp

# ---- data: one row per panel, curve and place on the x axis ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
x(panel, curve) = column("panel") == panel && column("curve") == curve ? column("value") : NaN

# ---- look: Okabe and Ito's colours (grey for their yellow, two of them darker), so ordered that neighbours differ in
# tone too ----
colours = "#000000 #E69F00 #009E73 #56B4E9 #C24E00 #CC79A7 #0060A0 #7F7F7F"
colour(i) = word(colours, 1 + (i - 1) % words(colours))
# Odd lines are solid, even ones have gaps and are drawn on top, so that of two that lie on each other both show.
set dashtype 1 solid
set dashtype 2 (9, 7)
set dashtype 3 solid
set dashtype 4 (3, 5)
set dashtype 5 solid
set dashtype 6 (14, 5, 3, 5)
half_of(count) = (count + 1) / 2
order(k) = k <= half_of(|schemes|) ? 2 * k - 1 : 2 * (k - half_of(|schemes|))
array mark[12] = [7, 4, 9, 6, 13, 10, 5, 8, 11, 12, 2, 1]
do for [i = 1:|schemes|] {
    form = mark[1 + (i - 1) % 12]
    dash = 1 + (i - 1) % 6
    set style line i lc rgb colour(i) lw 2 dt dash pt form ps 0.9
    set style line 100 + i lc rgb colour(i) lw 1.6 dt solid pt form ps 0.9
}
set style fill transparent solid (|schemes| > 6 ? 0.08 : 0.15) noborder

# ---- page, in pixels ----
second = 0 # whether a title has a second line
do for [p = 1:|panels|] { if (strlen(panels_below[p]) > 0) { second = 1 } }
columns = |panels| == 1 ? 1 : |panels| == 2 || |panels| == 4 || longest_panel > 36 ? 2 : 3
lines = (|panels| + columns - 1) / columns
panel_width = columns == 1 ? 660 : columns == 2 ? 400 : 280
panel_height = |panels| == 1 ? 380 : 220
left = 96; right = 20; top = strlen(common) > 0 ? 78 : 64; bottom = 20 + 17 * |caption|
# Between panels; for titles above them; for tick labels and x titles below.
across = 84; above = |panels| > 1 ? (second ? 46 : 26) : 0; below = 64
key_share = (22 * |schemes| - (lines - 1) * (above + below)) / lines # of the key's height, per line of panels
if (key_share > panel_height) { panel_height = key_share }
key_width = 82 + 8 * longest
width = left + columns * panel_width + (columns - 1) * across + right + key_width
height = top + lines * (above + panel_height + below) + bottom
panel_left(p) = left + ((p - 1) % columns) * (panel_width + across)
panel_top(p) = top + above + ((p - 1) / columns) * (above + panel_height + below)

# ---- axes; panels share the horizontal one, whatever of it reached the target in each ----
x_top = x_low
do for [p = 1:|panels|] { if (x_high[p] > x_top) { x_top = x_high[p] } }
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
        if (x_logarithmic) {
            set logscale x
            set xrange [x_low / 1.3:1.3 * x_top]
            set xtics autofreq
        } else {
            unset logscale x
            set xrange [(x_low < 0 ? 1.06 * x_low : 0):(x_top > 0 ? 1.06 * x_top : 1)]
            set xtics tick((x_top > 0 ? x_top : 1) - (x_low < 0 ? x_low : 0), columns == 3 ? 3 : 6)
        }
        set xlabel x_key offset 0, 0.3 noenhanced font ",11"
        set ylabel (p - 1) % columns == 0 ? measure : "" offset 0.5, 0 noenhanced font ",11"
        if (logarithmic[p]) {
            set logscale y
            set ytics 10
            set mytics 10
            set yrange [y_low[p] / 1.5:1.5 * y_high[p]]
            # Within two decades there is room for more than their powers.
            if (y_high[p] < 100 * y_low[p]) {
                do for [e = int(floor(log10(y_low[p] / 1.5))):int(ceil(log10(1.5 * y_high[p])))] {
                    set ytics add (sprintf("%g", 2 * 10.0**e) 2 * 10.0**e, sprintf("%g", 5 * 10.0**e) 5 * 10.0**e)
                }
            }
        } else {
            unset logscale y
            unset mytics
            set ytics tick(y_high[p], 5)
            set yrange [0:1.06 * y_high[p]]
        }
        set format "%g"
        plot for [k = 1:|schemes|] data using (x(p, order(k))):(column("mean")) with lines ls order(k) notitle, \
             for [i = 1:|schemes|] data using (x(p, i)):(column("mean")):(column("low")):(column("high")) \
                 with yerrorbars lw 1.2 lc rgb colour(i) pt 7 ps 0 notitle, \
             for [i = 1:|schemes|] data using (x(p, i)):(column("mean")) with points ls 100 + i notitle, \
             for [i = 1:(p == 1 ? |schemes| : 0)] keyentry with linespoints ls i title schemes[i]
        unset label
        unset key
    }
    unset multiplot
    unset output
}
