/** Statistics of all elements of a selection, which is read as often as they need. */
@NullMarked
package dev.zarrreactive.internal.summary;

import org.jspecify.annotations.NullMarked;
