/** Observers of the operations on nodes, for metrics, traces and logs. */
@NullMarked
package dev.zarrreactive.observation;

import org.jspecify.annotations.NullMarked;
