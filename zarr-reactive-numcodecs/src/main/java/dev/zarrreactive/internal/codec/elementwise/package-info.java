/**
 * Codecs that compute each element from one element: {@code bitround}, {@code cast_value} and
 * {@code scale_offset}.
 */
@NullMarked
package dev.zarrreactive.internal.codec.elementwise;

import org.jspecify.annotations.NullMarked;
