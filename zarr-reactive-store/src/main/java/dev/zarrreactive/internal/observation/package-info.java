/** Calls to observers. */
@NullMarked
package dev.zarrreactive.internal.observation;

import org.jspecify.annotations.NullMarked;
