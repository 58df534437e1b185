/** The costs of reads in this process: operators, allocated bytes, warm-up, the caller's thread. */
@NullMarked
package dev.zarrreactive.benchmarks.cost;

import org.jspecify.annotations.NullMarked;
