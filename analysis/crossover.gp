# Which scheme wins where, over two axes of a sweep: a cell per point, in the colour of the scheme that has the least; pale
# where the intervals of the first and the second meet.
# Draw again, in this folder, with
#     gnuplot crossover.gp
#     gnuplot -e "formats = 'pdf'" crossover.gp

# ---- data: one row per cell ----
set encoding utf8
set datafile separator comma
set datafile columnheaders
set datafile missing NaN
of(scheme, sure) = column("first") == scheme && column("sure") == sure ? column("column") : NaN

# ---- look: Okabe and Ito's colours (grey for their yellow, two of them darker), so ordered that neighbours differ in
# tone too ----
colours = "#000000 #E69F00 #009E73 #56B4E9 #C24E00 #CC79A7 #0060A0 #7F7F7F"
colour(i) = word(colours, 1 + (i - 1) % words(colours))

# ---- page, in pixels ----
panel_width = 52 * |x_values| < 360 ? 360 : 52 * |x_values| > 680 ? 680 : 52 * |x_values|
panel_height = 34 * |y_values| < 200 ? 200 : 34 * |y_values| > 420 ? 420 : 34 * |y_values|
if (24 * |schemes| > panel_height) { panel_height = 24 * |schemes| }
left = 66 + 7 * y_longest; right = 20; top = 56; bottom = 72 + 17 * |caption|
key_width = 96 + 9 * longest
width = left + panel_width + right + key_width
height = top + panel_height + bottom

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

# Letters tell schemes apart without colours, and where colours come again.
letter(i) = i <= 26 ? substr("ABCDEFGHIJKLMNOPQRSTUVWXYZ", i, i) : sprintf("%d", i)

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
    set key at screen 1 - (key_width - 8.0) / width, screen 1 - (top - 4.0) / height left top Left reverse \
        noenhanced spacing 1.5 samplen 2 font ",11"
    set lmargin at screen left / (1.0 * width)
    set rmargin at screen (left + panel_width) / (1.0 * width)
    set tmargin at screen 1 - top / (1.0 * height)
    set bmargin at screen 1 - (top + panel_height) / (1.0 * height)
    plot for [sure = 0:1] for [i = 1:|schemes|] data \
             using (of(i, sure)):(column("row")):(of(i, sure) - half):(of(i, sure) + half):(column("row") - half):(column("row") + half) \
             with boxxyerror fs transparent solid (sure ? 0.75 : 0.25) noborder lc rgb colour(i) notitle, \
         for [i = 1:|schemes|] keyentry with boxes fs solid 0.75 noborder lc rgb colour(i) title letter(i)."  ".schemes[i], \
         data using "column":"row":(letter(int(column("first")))) with labels font ",10" tc rgb "#111111" notitle
    unset label
    unset multiplot
    unset output
}
