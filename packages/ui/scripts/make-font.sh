#!/bin/sh
# Makes src/theme/fonts/inter-core.woff2: the letters and signs that nearly every page needs, in the weights that the pages use, of the
# font as @fontsource-variable/inter has it. Needs fonttools with brotli (pip install fonttools brotli). The ranges are those of font.css.
set -e
cd "$(dirname "$0")/.."
source=../../node_modules/@fontsource-variable/inter/files/inter-latin-wght-normal.woff2
made=$(mktemp -d)
fonttools varLib.instancer -q "$source" wght=400:600 -o "$made/inter.ttf"
pyftsubset "$made/inter.ttf" --no-hinting --flavor=woff2 --layout-features=kern,tnum,ccmp,locl --output-file=src/theme/fonts/inter-core.woff2 \
  --unicodes=U+0020-007E,U+00A0-00FF,U+2009,U+202F,U+2010-2015,U+2018-201E,U+2022,U+2026,U+2032-2033,U+2039-203A,U+20AC,U+2122,U+2191,U+2193,U+2212
rm -r "$made"
