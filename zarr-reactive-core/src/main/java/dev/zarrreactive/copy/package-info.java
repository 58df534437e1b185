/**
 * Copies of nodes and hierarchies, from one store, format, chunk grid and codec chain to another.
 * Stands above everything else, and is made of what everybody may use.
 */
@NullMarked
package dev.zarrreactive.copy;

import org.jspecify.annotations.NullMarked;
