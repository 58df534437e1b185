/** The chunks that a store has of an array. */
@NullMarked
package dev.zarrreactive.cli.stored;

import org.jspecify.annotations.NullMarked;
