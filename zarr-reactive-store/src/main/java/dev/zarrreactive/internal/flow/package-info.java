/** Concurrency of the parts of one operation, and the bound on the bytes that operations hold. */
@NullMarked
package dev.zarrreactive.internal.flow;

import org.jspecify.annotations.NullMarked;
