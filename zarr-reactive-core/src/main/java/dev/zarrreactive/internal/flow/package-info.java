/**
 * How the parts of one operation run: several at a time, in order or not, until the first error.
 */
@NullMarked
package dev.zarrreactive.internal.flow;

import org.jspecify.annotations.NullMarked;
