/** Datasets as record batches of Apache Arrow, and chunks as its tensors. */
@NullMarked
package dev.zarrreactive.arrow;

import org.jspecify.annotations.NullMarked;
