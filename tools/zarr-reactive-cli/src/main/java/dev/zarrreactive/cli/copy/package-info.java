/** The progress and the summary of a copy. */
@NullMarked
package dev.zarrreactive.cli.copy;

import org.jspecify.annotations.NullMarked;
