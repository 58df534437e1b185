/**
 * The codecs for elements of any length: {@code vlen-utf8}, {@code vlen-bytes} and Zarr v2's {@code
 * vlen-array}.
 */
@NullMarked
package dev.zarrreactive.internal.codec.vlen;

import org.jspecify.annotations.NullMarked;
