/** Calls whose failures are kept from the caller: of observers, and of allocations. */
@NullMarked
package dev.zarrreactive.internal.guard;

import org.jspecify.annotations.NullMarked;
