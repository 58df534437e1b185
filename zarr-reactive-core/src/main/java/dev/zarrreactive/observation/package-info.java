/** What the operations on nodes do, told to whoever wants to know: for metrics, traces and logs. */
@NullMarked
package dev.zarrreactive.observation;

import org.jspecify.annotations.NullMarked;
