/** Meters and observations of reads and writes. */
@NullMarked
package dev.zarrreactive.micrometer;

import org.jspecify.annotations.NullMarked;
