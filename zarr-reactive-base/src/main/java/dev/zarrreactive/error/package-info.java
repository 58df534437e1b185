/** The errors of this library: one sealed family of exceptions with the place of each. */
@NullMarked
package dev.zarrreactive.error;

import org.jspecify.annotations.NullMarked;
