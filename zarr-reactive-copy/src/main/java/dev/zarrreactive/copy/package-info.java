/**
 * Copies of nodes and hierarchies, from one store, format, chunk grid and codec chain to another.
 * The package stands above all others, and uses the public API.
 */
@NullMarked
package dev.zarrreactive.copy;

import org.jspecify.annotations.NullMarked;
