/** Labels of coordinates as they stand in commands and in queries of URLs. */
@NullMarked
package dev.zarrreactive.internal.labels;

import org.jspecify.annotations.NullMarked;
