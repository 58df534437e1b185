/**
 * Encodings of a selection's elements in C order: raw bytes, NumPy files, JSON, CSV and pictures,
 * as streams of small pieces. {@code ZarrArray.encode} publishes them.
 */
@NullMarked
package dev.zarrreactive.encoding;

import org.jspecify.annotations.NullMarked;
