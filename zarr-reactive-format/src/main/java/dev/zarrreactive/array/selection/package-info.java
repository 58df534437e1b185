/**
 * Selections: the elements of an array that a read, a write or a stream is about, as boxes, steps,
 * lists of indices, masks or points.
 */
@NullMarked
package dev.zarrreactive.array.selection;

import org.jspecify.annotations.NullMarked;
