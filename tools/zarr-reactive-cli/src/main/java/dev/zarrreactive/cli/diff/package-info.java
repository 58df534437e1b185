/** Differences between two hierarchies. */
@NullMarked
package dev.zarrreactive.cli.diff;

import org.jspecify.annotations.NullMarked;
