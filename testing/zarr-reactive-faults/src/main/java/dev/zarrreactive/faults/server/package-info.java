/** Servers of the tests that misbehave, and their faults. */
@NullMarked
package dev.zarrreactive.faults.server;

import org.jspecify.annotations.NullMarked;
