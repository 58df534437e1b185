/** The throughput of writes of streams. */
@NullMarked
package dev.zarrreactive.benchmarks.writing;

import org.jspecify.annotations.NullMarked;
