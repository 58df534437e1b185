/** The costs of many clients of a server. */
@NullMarked
package dev.zarrreactive.benchmarks.serving;

import org.jspecify.annotations.NullMarked;
