/** Calls into code that is not ours. */
@NullMarked
package dev.zarrreactive.internal.guard;

import org.jspecify.annotations.NullMarked;
