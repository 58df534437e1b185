/**
 * The form of a selection's elements as bytes in C order, which {@code ZarrArray.encode} publishes
 * as a stream of small pieces: raw bytes here, other formats in {@code zarr-reactive-encodings}.
 */
@NullMarked
package dev.zarrreactive.encoding;

import org.jspecify.annotations.NullMarked;
