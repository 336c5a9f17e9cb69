"""Prints the table of powers_of_ten.c from exact integers: the first 128 bits of every power of ten, rounded down."""

LEAST, MOST = -342, 324

for exponent in range(LEAST, MOST + 1):
    if exponent >= 0:
        bits = (10**exponent << 128) >> (10**exponent).bit_length()
    else:
        divisor = 10**-exponent
        bits = (1 << 128 + divisor.bit_length()) // divisor
        bits >>= bits.bit_length() - 128
    print("{UINT64_C(0x%016x), UINT64_C(0x%016x)}," % (bits >> 64, bits & (1 << 64) - 1))
