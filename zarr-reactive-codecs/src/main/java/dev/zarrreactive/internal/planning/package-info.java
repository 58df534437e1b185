/** From a selection to the chunks that it touches, and which elements of each go where. No I/O. */
@NullMarked
package dev.zarrreactive.internal.planning;

import org.jspecify.annotations.NullMarked;
