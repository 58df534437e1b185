/** The statistics of many values: of each chunk on a codec thread, and their totals. */
@NullMarked
package dev.zarrreactive.internal.statistics;

import org.jspecify.annotations.NullMarked;
