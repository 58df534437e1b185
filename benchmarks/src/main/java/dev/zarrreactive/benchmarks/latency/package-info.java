/** Measurements of reads from a store that is far away; see README.md. */
@NullMarked
package dev.zarrreactive.benchmarks.latency;

import org.jspecify.annotations.NullMarked;
