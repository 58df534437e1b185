/** Formulas of numbers, and their values for the elements of arrays that share dimensions. */
@NullMarked
package dev.zarrreactive.internal.expression;

import org.jspecify.annotations.NullMarked;
