/** The chunk key encodings {@code suffix}, {@code fanout} and {@code template} of zarr-extensions. */
@NullMarked
package dev.zarrreactive.internal.keys;

import org.jspecify.annotations.NullMarked;
