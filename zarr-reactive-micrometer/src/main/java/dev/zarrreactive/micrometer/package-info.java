/** Meters and observations of what is read and written. */
@NullMarked
package dev.zarrreactive.micrometer;

import org.jspecify.annotations.NullMarked;
