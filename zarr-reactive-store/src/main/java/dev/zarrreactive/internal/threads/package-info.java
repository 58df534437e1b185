/** The schedulers, clock and random numbers of the library. */
@NullMarked
package dev.zarrreactive.internal.threads;

import org.jspecify.annotations.NullMarked;
