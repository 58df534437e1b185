/**
 * Formats of a selection's elements in C order: NumPy files, JSON, CSV and pictures, as streams of
 * small pieces. {@code ZarrArray.encode} publishes them.
 */
@NullMarked
package dev.zarrreactive.encodings;

import org.jspecify.annotations.NullMarked;
