/** A store in memory. */
@NullMarked
package dev.zarrreactive.store.memory;

import org.jspecify.annotations.NullMarked;
