/** The options of the command line that are words, settings of stores, or secrets. */
@NullMarked
package dev.zarrreactive.cli.options;

import org.jspecify.annotations.NullMarked;
