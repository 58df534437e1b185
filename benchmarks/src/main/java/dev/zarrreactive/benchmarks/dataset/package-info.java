/** The costs of datasets, beyond those of their arrays. */
@NullMarked
package dev.zarrreactive.benchmarks.dataset;

import org.jspecify.annotations.NullMarked;
