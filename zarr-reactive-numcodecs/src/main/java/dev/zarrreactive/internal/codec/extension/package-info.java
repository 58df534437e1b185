/** The codec {@code conditional} of zarr-extensions. */
@NullMarked
package dev.zarrreactive.internal.codec.extension;

import org.jspecify.annotations.NullMarked;
