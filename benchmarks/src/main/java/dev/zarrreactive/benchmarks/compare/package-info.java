/** Measurements of this client beside others, each in a process of its own; see README.md. */
@NullMarked
package dev.zarrreactive.benchmarks.compare;

import org.jspecify.annotations.NullMarked;
