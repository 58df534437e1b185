/** JMH benchmarks. */
@NullMarked
package dev.zarrreactive.benchmarks;

import org.jspecify.annotations.NullMarked;
