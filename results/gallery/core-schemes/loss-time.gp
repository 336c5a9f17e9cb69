# Set by laggard for this picture; edit freely, nothing reads it back.
if (!exists('data')) data = './loss-time.csv'
if (!exists('out')) out = './loss-time'
if (!exists('formats')) formats = 'svg png'
array schemes[8] = ['uncoded', 'ignore', 'gc-fr', 'gc-cr', 'isgc-fr', 'isgc-cr', 'pgc-fr', 'pgc-cr']
longest = 7
array panels[1] = ['']
array first_row[8] = [0, 400, 800, 1200, 1600, 2000, 2400, 2800]
array last_row[8] = [399, 799, 1199, 1599, 1999, 2399, 2799, 3199]
array x_high[1] = [348.32671705395774]
logarithmic = 1
y_low = 0.066535278544564
y_high = 0.8317766166719334
array caption[2] = ['Median of 20 runs, band from the 10th to the 90th percentile. A run that ended counts with its last loss;', 'a curve stops when half of its runs have ended.']
marks = 50
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
# first_row and last_row only save time: `x` alone would pick a curve's rows out of all.
first(panel, curve) = first_row[(panel - 1) * |schemes| + curve]
last(panel, curve) = last_row[(panel - 1) * |schemes| + curve]
x(panel, curve) = column("panel") == panel && column("curve") == curve ? column("time_s") : NaN

# ---- look: Okabe and Ito's colours (grey for their yellow); a line differs from the others by dash and mark too ----
colours = "#000000 #E69F00 #0072B2 #009E73 #D55E00 #CC79A7 #56B4E9 #7F7F7F"
colour(i) = word(colours, 1 + (i - 1) % words(colours))
set dashtype 1 solid
set dashtype 2 (14, 3)
set dashtype 3 (5, 2)
set dashtype 4 (14, 3, 3, 3)
set dashtype 5 (3, 1.5)
array mark[6] = [7, 5, 9, 13, 11, 15]
do for [i = 1:|schemes|] {
    dash = 1 + (i - 1) % 5
    form = mark[1 + (i - 1) % 6]
    set style line i lc rgb colour(i) lw 2 dt dash pt form ps 0.9
}
set style fill transparent solid (|schemes| > 6 ? 0.08 : 0.15) noborder

# ---- page, in pixels ----
second = strlen(caption[2]) > 0 # the caption has a second line
columns = |panels| == 1 ? 1 : |panels| == 3 || |panels| > 4 ? 3 : 2
lines = (|panels| + columns - 1) / columns
panel_width = columns == 1 ? 660 : columns == 2 ? 480 : 400
left = 106; right = 20; top = 64; bottom = second ? 118 : 102; between = 26; above = |panels| > 1 ? 40 : 0
panel_height = |panels| == 1 ? 380 : 290
key_share = (24 * |schemes| - (lines - 1) * (above + between)) / lines # of the key's height, per line of panels
if (key_share > panel_height) { panel_height = key_share }
key_width = 82 + 8 * longest
width = left + columns * panel_width + (columns - 1) * between + right + key_width
height = top + lines * (above + panel_height) + (lines - 1) * between + bottom
panel_left(p) = left + ((p - 1) % columns) * (panel_width + between)
panel_top(p) = top + above + ((p - 1) / columns) * (above + panel_height + between)

set border 3 lc rgb "#555555" lw 1
set tics nomirror out scale 0.8 textcolor rgb "#333333"
set grid back ytics mytics lt 1 lw 0.8 lc rgb "#d8d8d8", lt 1 lw 0.4 lc rgb "#ececec"
set yrange [y_low:y_high]
y_format = "%g"
if (logarithmic) {
    set logscale y
    if (y_high / y_low < 200) {
        # Few decades: 1, 2 and 5 of each are named.
        y_format = "%g"
        set ytics 10
        do for [decade = floor(log10(y_low)):ceil(log10(y_high))] {
            set ytics add (10.0**decade, 2 * 10.0**decade, 5 * 10.0**decade)
        }
    } else {
        y_format = "10^{%L}"
        set ytics 10
    }
    set mytics 10
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
    set label 3 caption[1] at screen left / (1.0 * width), screen (second ? 38.0 : 20.0) / height left noenhanced \
        font ",10" textcolor rgb "#555555"
    set label 4 caption[2] at screen left / (1.0 * width), screen 20.0 / height left noenhanced \
        font ",10" textcolor rgb "#555555"
    set key at screen 1 - (key_width - 8.0) / width, screen 1 - (top + above - 4.0) / height left top Left reverse \
        noenhanced spacing 1.35 samplen 3.5 font ",11"
    do for [p = 1:|panels|] {
        set lmargin at screen panel_left(p) / (1.0 * width)
        set rmargin at screen (panel_left(p) + panel_width) / (1.0 * width)
        set tmargin at screen 1 - panel_top(p) / (1.0 * height)
        set bmargin at screen 1 - (panel_top(p) + panel_height) / (1.0 * height)
        set label 5 panels[p] at graph 0, graph 1 offset 0, 0.8 left noenhanced font ",12"
        set xrange [0:1.02 * x_high[p]]
        if (p + columns > |panels|) { set xlabel "Simulated time (s)" } else { unset xlabel }
        if (p % columns == 1 || columns == 1) {
            set ylabel "Training loss".(logarithmic ? " (log scale)" : "")
            set format y y_format
        } else {
            unset ylabel
            set format y ""
        }
        plot for [i = 1:|schemes|] data every ::first(p, i)::last(p, i) \
                 using (x(p, i)):(column("loss_p10")):(column("loss_p90")) \
                 with filledcurves fc rgb colour(i) notitle, \
             for [i = 1:|schemes|] data every ::first(p, i)::last(p, i) \
                 using (x(p, i)):(column("loss_median")) \
                 with linespoints ls i pointinterval marks notitle, \
             for [i = 1:(p == 1 ? |schemes| : 0)] keyentry with linespoints ls i title schemes[i]
        unset label
        unset key
    }
    unset multiplot
    unset output
}
