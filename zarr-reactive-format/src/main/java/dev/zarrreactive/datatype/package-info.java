/** Data types, with the layout of one element, and its fill value as JSON and as bits. */
@NullMarked
package dev.zarrreactive.datatype;

import org.jspecify.annotations.NullMarked;
