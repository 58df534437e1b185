/** Formats of numbers that are decoded in Java, beside the native libraries. */
@NullMarked
package dev.zarrreactive.benchmarks.formats;

import org.jspecify.annotations.NullMarked;
