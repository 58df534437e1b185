/**
 * The kinds of elements in memory, by data type: how an element is read, copied, cast and printed.
 */
@NullMarked
package dev.zarrreactive.internal.element;

import org.jspecify.annotations.NullMarked;
