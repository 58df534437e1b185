/**
 * The {@code blosc} codec (specification: "Blosc codec"). A frame is a header of 16 bytes, a table
 * of block starts, and blocks of compressed sub-streams over shuffled bytes.
 */
@NullMarked
package dev.zarrreactive.internal.codec.blosc;

import org.jspecify.annotations.NullMarked;
