/** The codec {@code n5_default}: the blocks of N5 as chunks of Zarr. */
@NullMarked
package dev.zarrreactive.internal.codec.n5;

import org.jspecify.annotations.NullMarked;
