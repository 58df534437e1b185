/** Statistics over the chunks of an array, in bounded memory. */
@NullMarked
package dev.zarrreactive.cli.statistics;

import org.jspecify.annotations.NullMarked;
