/** Chunks as they come: what is in them, how far it is, and what the store had to do. */
@NullMarked
package dev.zarrreactive.cli.stream;

import org.jspecify.annotations.NullMarked;
