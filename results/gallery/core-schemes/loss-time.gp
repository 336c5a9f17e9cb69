# Set by laggard for this picture; edit freely, nothing reads it back.
if (!exists('data')) data = './loss-time.csv'
if (!exists('out')) out = './loss-time'
if (!exists('formats')) formats = 'svg'
array panels[1] = ['']
array panels_below[1] = ['']
longest_panel = 0
common = ''
array x_high[1] = [348.32671705395774]
logarithmic = 1
y_low = 0.07013223692023235
y_high = 0.7891162653212968
array targets[1] = [0.08]
array first_row[8] = [0, 25, 50, 75, 100, 125, 150, 175]
array last_row[8] = [24, 49, 74, 99, 124, 149, 174, 199]
array first_mark[8] = [0, 26, 51, 76, 102, 128, 155, 181]
array mark_step[8] = [4, 6, 4, 4, 5, 5, 7, 7]
array schemes[8] = ['uncoded', 'ignore', 'gc-fr', 'gc-cr', 'isgc-fr', 'isgc-cr', 'pgc-fr', 'pgc-cr']
longest = 7
array caption[2] = ['Median of 20 runs, band from the 10th to the 90th percentile. Dotted: the target loss, 0.08.', 'A run that ended counts with its last loss; a curve stops when half of its runs have ended.']
title = 'Training loss over simulated time'
subject = 'core-schemes'

# Training loss over simulated time: a panel per point of the sweep, a line per scheme, and the band that holds its runs
# from the 10th to the 90th percentile.
# Draw again, in this folder, with
#     gnuplot loss-time.gp
#     gnuplot -e "formats = 'pdf'" loss-time.gp

# ---- data: one row per panel, curve and place on the x axis ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
# Arrays over curves, panel by panel. first_row and last_row only save time: `x` alone would pick a curve's rows.
at(panel, curve) = (panel - 1) * |schemes| + curve
x(panel, curve) = column("panel") == panel && column("curve") == curve ? column("time_s") : NaN

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
across = 40; above = |panels| > 1 ? (second ? 46 : 26) : 0; below = 64
key_share = (22 * |schemes| - (lines - 1) * (above + below)) / lines # of the key's height, per line of panels
if (key_share > panel_height) { panel_height = key_share }
key_width = 82 + 8 * longest
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
set yrange [y_low:y_high]
y_format = "%g"
if (logarithmic) {
    set logscale y
    set ytics 10
    set mytics 10
    if (y_high / y_low < 5) {
        # Less than a decade: ticks at equal distances of the loss.
        apart = tick(y_high - y_low, 5)
        unset mytics
        set ytics y_high * 2, 10
        do for [k = ceil(y_low / apart):floor(y_high / apart)] { set ytics add (k * apart) }
    } else {
        if (y_high / y_low < 200) {
            # Few decades: 1, 2 and 5 of each are named.
            do for [decade = floor(log10(y_low)):ceil(log10(y_high))] {
                set ytics add (10.0**decade, 2 * 10.0**decade, 5 * 10.0**decade)
            }
        } else {
            y_format = "10^{%L}"
        }
    }
}

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
    # The key has a plot of its own, as high as the page: in a panel's it would be broken into columns.
    set lmargin at screen 0
    set rmargin at screen 1
    set tmargin at screen 1 - (top + above) / (1.0 * height)
    set bmargin at screen 0
    set border 0
    set tics scale 0
    set format ""
    set grid noytics nomytics
    unset xlabel
    unset ylabel
    set key at screen 1 - (key_width - 8.0) / width, screen 1 - (top + above - 4.0) / height left top Left reverse \
        noenhanced spacing 1.35 samplen 3.8 font ",11"
    plot [0:1] NaN notitle, for [i = 1:|schemes|] keyentry with linespoints ls i title schemes[i]
    unset key
    unset label
    set border 3
    set tics scale 0.8
    set format x
    set grid ytics mytics
    do for [p = 1:|panels|] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + panel_width) / (1.0 * width)
        set tmargin at screen 1 - panel_top(p) / (1.0 * height)
        set bmargin at screen 1 - (panel_top(p) + panel_height) / (1.0 * height)
        set label 20 panels[p] at graph 0, graph 1 offset 0, (second ? 1.7 : 0.7) left noenhanced font ",11"
        set label 21 panels_below[p] at graph 0, graph 1 offset 0, 0.7 left noenhanced font ",11"
        if (targets[p] > y_low) {
            set arrow 1 from graph 0, first targets[p] to graph 1, first targets[p] nohead back lw 1.2 dt (2, 3) \
                lc rgb "#555555"
        }
        set xrange [0:1.02 * x_high[p]]
        set xtics tick(x_high[p], columns == 3 ? 3 : 6)
        set xlabel "Simulated time (s)" offset 0, 0.3
        if (p % columns == 1 || columns == 1) {
            set ylabel "Training loss".(logarithmic ? " (log scale)" : "")
            set format y y_format
        } else {
            unset ylabel
            set format y ""
        }
        plot for [i = 1:|schemes|] data every ::first_row[at(p, i)]::last_row[at(p, i)] \
                 using (x(p, i)):(column("loss_p10")):(column("loss_p90")) \
                 with filledcurves fc rgb colour(i) notitle, \
             for [k = 1:|schemes|] data every ::first_row[at(p, order(k))]::last_row[at(p, order(k))] \
                 using (x(p, order(k))):(column("loss_median")) with lines ls order(k) notitle, \
             for [i = 1:|schemes|] data every mark_step[at(p, i)]::first_mark[at(p, i)]::last_row[at(p, i)] \
                 using (x(p, i)):(column("loss_median")) with points ls 100 + i notitle
        unset label
        unset arrow
    }
    unset multiplot
    unset output
}
