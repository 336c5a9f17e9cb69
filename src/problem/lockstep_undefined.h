/* lockstep_undefined.h: what lockstep_tile.h was told of a precision, forgotten. */
#undef NUMBER
#undef ROWS
#undef VECTOR
#undef FMA
#undef SPREAD
#undef NAMED
